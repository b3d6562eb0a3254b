export { CertificateButton } from './components/CertificateButton.tsx';
