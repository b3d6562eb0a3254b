import markdown from '#content/legal/privacy.md?raw';
import versions from '#content/legal/versions.json';
import { LegalText } from './components/LegalText.tsx';

export default function PrivacyPage() {
  return <LegalText title="Privacy policy" markdown={markdown} version={versions.privacy} />;
}
