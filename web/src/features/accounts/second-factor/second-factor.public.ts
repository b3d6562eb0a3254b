export { Enrolment } from './components/Enrolment.tsx';
export { FactorCodeField } from './components/FactorCodeField.tsx';
export { PasskeyButton } from './components/PasskeyButton.tsx';
export { PasskeyForm, PasskeySubmit } from './components/PasskeyForm.tsx';
export { ProofDialog } from './components/ProofDialog.tsx';
export { SecondFactors } from './components/SecondFactors.tsx';
export { SecondStep } from './components/SecondStep.tsx';
export { logInWithPasskey } from './second-factor.api.ts';
