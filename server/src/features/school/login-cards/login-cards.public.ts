export {
  assignCredentials,
  type Credential,
  generateCredentials,
  generatePassword,
  joinsRudely,
  normalizePupilPassword,
  USERNAME_ROUNDS,
  usernameCandidate,
  usernameStem,
} from './credentials.service.ts';
export { linksTo, storeLoginSheet } from './login-sheets.service.ts';
export { loginInstruction } from './login-sheets.document.ts';
