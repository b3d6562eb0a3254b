import { Button } from '../../../ui/Button.tsx';
import { type ReactNode, useRef } from 'react';
import { useParams } from '../../../shared/router.ts';
import type { Holding, Processor } from '#contract/calls/privacy.ts';
import impactAssessment from '#content/legal/impact-assessment.md?blocks';
import privacyNotice from '#content/legal/privacy-notice.md?blocks';
import processorsText from '#content/legal/processors.md?blocks';
import versions from '#content/legal/versions.json';
import { paths } from '../../../paths.ts';
import { formatDate } from '../../../shared/format.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { Blocks, TEXT_STYLE } from '../../help/help/legal-text.public.ts';
import { isPrivacyDocument, PRIVACY_DOCUMENTS, type PrivacyDocumentName } from './model/privacy-documents.ts';
import { dataQuery } from './data-and-privacy.api.ts';

const TEXTS = {
  'privacy-notice': privacyNotice,
  'impact-assessment': impactAssessment,
  processors: processorsText,
} as const;

const CRUMBS = [
  { text: 'School', to: paths.school() },
  { text: 'Data and privacy', to: paths.dataAndPrivacy() },
];

/** A document about data, to print or copy: a text of ours, and a list made from what the portal stores. For admins. */
export default function PrivacyDocumentPage() {
  const { name } = useParams();
  if (isPrivacyDocument(name)) return <PrivacyDocument key={name} name={name} />;
  return (
    <>
      <PageHeader title="Document not found" crumbs={CRUMBS} />
      <ButtonLink to={paths.dataAndPrivacy()}>Go to Data and privacy</ButtonLink>
    </>
  );
}

function PrivacyDocument({ name }: { name: PrivacyDocumentName }) {
  const found = usePrefetchedQuery(dataQuery(useSchoolId()));
  const article = useRef<HTMLElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(article.current?.innerText ?? '');
      showToast('Copied');
    } catch {
      showToast('Could not copy. Select the text instead.');
    }
  };
  return (
    <>
      <PageHeader
        title={PRIVACY_DOCUMENTS[name].title}
        crumbs={CRUMBS}
        lead={`Version of ${formatDate(versions[name])}`}
        actions={
          <>
            <Button variant="default" onClick={() => window.print()}>
              Print
            </Button>
            <Button variant="default" onClick={() => void copy()}>
              Copy as text
            </Button>
          </>
        }
      />
      {found.error && !found.data && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      <article ref={article} className={TEXT_STYLE}>
        <Blocks blocks={TEXTS[name].blocks} />
        {found.data && <Facts name={name} holdings={found.data.holdings} processors={found.data.processors} />}
      </article>
    </>
  );
}

interface FactsProps {
  name: PrivacyDocumentName;
  holdings: readonly Holding[];
  processors: readonly Processor[];
}

/** The part of a document that follows from what the portal stores and how it is set up. */
function Facts({ name, holdings, processors }: FactsProps) {
  if (name === 'processors')
    return (
      <>
        <h2>The list</h2>
        <ul>
          {processors.map(({ task, data, name: company }) => (
            <Entry key={`${task} ${company}`} title={company ?? 'Ask us for the name'}>
              {task}. Data: {data.charAt(0).toLowerCase()}
              {data.slice(1)}.
            </Entry>
          ))}
        </ul>
      </>
    );
  const isNotice = name === 'privacy-notice';
  const shown = holdings.filter(({ whose }) => whose.includes('pupils') || (!isNotice && whose.includes('staff')));
  return (
    <>
      <h2>{isNotice ? 'The data about pupils' : 'The data about pupils and staff'}</h2>
      <ul>
        {shown.map(({ name: holding, title, contents, purpose, recipients, kept }) => (
          <Entry key={holding} title={title}>
            {sentence(contents)} {sentence(purpose)} {!isNotice && `Received by: ${sentence(recipients)} `}How long:{' '}
            {kept}
          </Entry>
        ))}
      </ul>
    </>
  );
}

const sentence = (text: string): string => `${text.replace(/\.$/, '')}.`;

const Entry = ({ title, children }: { title: string; children: ReactNode }) => (
  <li>
    <strong>{title}</strong>: {children}
  </li>
);
