import document from '#content/legal/privacy.md?blocks';
import versions from '#content/legal/versions.json';
import { LegalText } from './components/LegalText.tsx';

export default function PrivacyPage() {
  return <LegalText title="Privacy policy" document={document} version={versions.privacy} />;
}
