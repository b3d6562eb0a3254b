export { CertificateButton, CertificateDialog } from './components/CertificateDialog.tsx';
