import { STATIC_FILES_URL } from '../../../../shared/product.ts';

/** URL of a file that is hosted outside the portal; undefined without such hosting. */
export const staticFile = (path: string): string | undefined => STATIC_FILES_URL && `${STATIC_FILES_URL}/${path}`;
