import { PRODUCT_NAME } from '../../../../shared/product.ts';

/** Fills the product's name into a text of `content/`. */
export const fillIn = (text: string): string => text.replaceAll('{product}', PRODUCT_NAME);
