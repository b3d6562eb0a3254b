export { CertificateButton } from './components/CertificateButton.tsx';
export { CertificateDialog } from './components/CertificateDialog.tsx';
