/** An id as addresses hold it, or undefined: the server knows ids as digits only, and another text is mistyped. */
export const parseId = (text: string | null | undefined): number | undefined =>
  text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
