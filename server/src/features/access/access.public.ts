export { emailKey, findLogin, insertUser, lockUser } from './access.queries.ts';
export { addOperator, removeOperator } from '../operators/operators.queries.ts';
export { checkNewPassword, hashPassword, isPassword } from '../../auth/password-hashing.ts';
export { makeSetUpLink } from './account-activation.service.ts';
