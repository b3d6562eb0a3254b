export {
  type Credential,
  generateCredentials,
  generatePassword,
  USERNAME_ROUNDS,
  usernameCandidate,
  usernameStem,
} from './credentials.service.ts';
export { linksTo, storeLoginSheet } from './login-sheets.service.ts';
