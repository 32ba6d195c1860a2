/** The combining dot above is invisible after a soft-dotted letter: "i̇", the lower case of "İ", looks like "i". */
const INVISIBLE_DOT = /(?<=\p{Soft_Dotted})\u0307+/gu;

/**
 * Returns the same key for texts that differ only in case or in compatibility forms of Unicode (full width, ligatures).
 * Idempotent. Compare UAX 15 (NFKC) and the Unicode Standard, section 3.13 (caseless matching).
 *
 * JavaScript has no case folding, so the text is converted to lower, upper and lower case. Upper case maps "ß" to "SS"
 * and both sigmas to "Σ"; the first lower case is for "ẞ", which is its own upper case. The dotless "ı" becomes "i",
 * unlike in case folding, because most readers cannot distinguish such names. NFKD comes first, so that marks stay with
 * their letter when a Greek iota subscript becomes a letter.
 */
export function caselessKey(value: string): string {
  return value.normalize('NFKD').toLowerCase().toUpperCase().toLowerCase().replace(INVISIBLE_DOT, '').normalize('NFKC');
}
