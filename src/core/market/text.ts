/** The id of a market in the interface: 1 to 128 of letters, digits and `. _ : -`. */
export const MARKET_ID = /^[A-Za-z0-9._:-]{1,128}$/;

const BREAKS = /[\t-\r\u0085]/g;
const UNSTORABLE = /[\p{Cc}\p{Cs}]/gu;

/**
 * The text of a venue or a file as we store it: well-formed Unicode of one line. A tab or line break becomes a space; each
 * other control character and each half of a surrogate pair becomes U+FFFD, since no two stores would keep them alike, and a
 * terminal would obey them.
 */
export const wellFormed = (text: string): string => text.replace(BREAKS, ' ').replace(UNSTORABLE, '\uFFFD');
