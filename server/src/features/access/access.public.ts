export { emailKey, insertUser } from './access.queries.ts';
export { hashPassword, isPassword } from './passwords.service.ts';
