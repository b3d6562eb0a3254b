export { emailKey } from './access.queries.ts';
export { hashPassword, isPassword } from './passwords.service.ts';
