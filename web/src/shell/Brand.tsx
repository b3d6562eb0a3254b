import { PRODUCT_NAME } from '../shared/product.ts';
import { LarkMark } from '../ui/LarkMark.tsx';
import css from './Brand.module.css';

/** The product's mark, a lark on a line of text, with its name. */
export function Brand() {
  return (
    <span className={css.brand}>
      <LarkMark className={css.mark} size={32} />
      <span data-name>{PRODUCT_NAME}</span>
    </span>
  );
}
