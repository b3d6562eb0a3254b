import { useParams } from './router.ts';

/** Parses an ID in a URL; undefined for anything but digits. */
export const parseId = (text: string | null | undefined): number | undefined =>
  text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;

/** The ID in the page's URL; undefined if it is mistyped, which pages treat as not found. */
export const useIdParam = (name = 'id'): number | undefined => parseId(useParams()[name]);
