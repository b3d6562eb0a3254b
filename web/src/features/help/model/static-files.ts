import { STATIC_FILES_URL } from '../../../shared/product.ts';

/** Address of a file where the company keeps such files outside the portal; undefined where it does not. */
export const staticFile = (path: string): string | undefined => STATIC_FILES_URL && `${STATIC_FILES_URL}/${path}`;
