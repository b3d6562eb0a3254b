export { meQuery, signInAsOperator } from './access.api.ts';
export { isEndedLink } from './passwords.api.ts';
