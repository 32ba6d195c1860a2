/** In "i̇" the dot above is not seen: "İSTANBUL" in lower case must not look like another name and be one. */
const UNSEEN_DOT = /(?<=\p{Soft_Dotted})\u0307+/gu;

/**
 * The same key for texts that differ only in case or in Unicode's compatibility forms (full width, ligatures).
 *
 * JavaScript has no case folding, so letters go down, up and down again: up makes "ß" "SS" and both sigmas "Σ",
 * the first way down is for "ẞ", which has no upper case but itself. The dotless "ı" becomes "i", which plain
 * folding would keep apart: two names that only a Turkish reader tells apart are one. Decomposed first, so that
 * marks keep their letter when a Greek iota below another letter becomes one itself. A key is its own key.
 *
 * Compare UAX 15 (NFKC) and the Unicode Standard, section 3.13 (caseless matching).
 */
export function caselessKey(value: string): string {
  return value.normalize('NFKD').toLowerCase().toUpperCase().toLowerCase().replace(UNSEEN_DOT, '').normalize('NFKC');
}
