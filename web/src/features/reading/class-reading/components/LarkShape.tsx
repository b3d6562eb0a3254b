import css from './ReadingLine.module.css';

export const FLYING_LARK = 'lark-flying';
export const GROUND_LARK = 'lark-on-ground';

/** The two shapes of a lark, for `use`. The pale breast leaves room for the number of the level. */
export const LarkShapes = () => (
  <defs>
    <g id={FLYING_LARK}>
      <path className={css.wing} d="M5.500 12.500C4.500 7 7 2.500 12.500 .8 12.300 4.500 13 7 15 9.500Z" />
      <LarkBody />
    </g>
    <g id={GROUND_LARK}>
      <path className={css.leg} d="M11.500 22v3.500M15.500 22v3.500" />
      <LarkBody />
    </g>
  </defs>
);

const LarkBody = () => (
  <>
    <path
      className={css.body}
      d="M.6 13.500 6 11C8.500 8.300 12 7.600 15.500 7.400 17 4.600 19 3.300 20.500 2.800L20.400 4.700C23 5 24.600 6.500 25 8.300L27.600 9.500 24.900 10.600C24.500 17.500 20 23 13.500 23 8.500 23 5.500 20 4.300 15.800Z"
    />
    <circle className={css.breast} cx="14" cy="15.600" r="6.400" />
    <circle className={css.eye} cx="21.800" cy="8" r="1.100" />
  </>
);
