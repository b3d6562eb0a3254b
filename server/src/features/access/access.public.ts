export { emailKey, findLogin, insertUser, lockUser } from './access.queries.ts';
export { addOperator, removeOperator } from './operators.queries.ts';
export { checkNewPassword, hashPassword, isPassword } from './passwords.service.ts';
export { makeSetUpLink } from './set-up.service.ts';
