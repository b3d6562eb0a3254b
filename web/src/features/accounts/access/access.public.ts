export { meQuery, signInAsOperator, useReloadMe } from './access.api.ts';
export { isEndedLink } from './passwords.api.ts';
