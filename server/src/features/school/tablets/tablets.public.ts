export { saveTablet } from './tablets.queries.ts';
