/** Parses an ID in a URL; undefined for anything but digits. */
export const parseId = (text: string | null | undefined): number | undefined =>
  text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
