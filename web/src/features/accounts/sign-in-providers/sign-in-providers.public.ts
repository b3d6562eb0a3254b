export { LinkedAccounts } from './components/LinkedAccounts.tsx';
export { SignInConnections } from './components/SignInConnections.tsx';
export { SetUpLinks } from './components/SetUpLinks.tsx';
export { SignInLinks } from './components/SignInLinks.tsx';
export { SchoolProviders } from './components/SchoolProviders.tsx';
export { SignInNotice } from './components/SignInNotice.tsx';
