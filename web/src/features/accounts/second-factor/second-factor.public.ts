export { PasskeyButton } from './components/PasskeyButton.tsx';
export { ProofDialog } from './components/ProofDialog.tsx';
export { SecondFactors } from './components/SecondFactors.tsx';
export { SecondStep } from './components/SecondStep.tsx';
export { offersInFields, stopOffering } from './model/passkeys.ts';
export { logInWithPasskey } from './second-factor.api.ts';
