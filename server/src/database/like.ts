/** The pattern of LIKE and ILIKE for texts that contain `text`, with its wildcards escaped. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
