import markdown from '#content/legal/licence.md?raw';
import versions from '#content/legal/versions.json';
import { LegalText } from './components/LegalText.tsx';

export default function LicencePage() {
  return <LegalText title="Licence agreement" markdown={markdown} version={versions.licence} />;
}
