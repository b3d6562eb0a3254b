/** The pattern of LIKE and ILIKE for whatever contains a text, wildcards in it taken literally. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
