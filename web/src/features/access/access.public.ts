export { meQuery, signInAsOperator } from './access.api.ts';
