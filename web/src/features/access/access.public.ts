export { meQuery, signInAsOperator, signOut } from './access.api.ts';
export { isEndedLink } from './passwords.api.ts';
