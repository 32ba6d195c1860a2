/** Two overlapping rings. */
const MARK = '<circle cx="8.5" cy="12" r="6.5"/><circle cx="15.5" cy="12" r="6.5"/>';

/** The mark in the colour of the surrounding text, for use in a page. */
export const LOGO =
  '<svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="2.5" ' +
  `aria-hidden="true">${MARK}</svg>`;

/** The icon of all pages, as a data URL, so that browsers do not request `/favicon.ico`. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#3b5bdb" stroke-width="2.5">' +
    `${MARK}</svg>`,
)}`;
