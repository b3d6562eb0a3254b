import document from '#content/legal/accessibility.md?blocks';
import versions from '#content/legal/versions.json';
import { LegalText } from './components/LegalText.tsx';

export default function AccessibilityPage() {
  return <LegalText title="Accessibility" document={document} version={versions.accessibility} />;
}
