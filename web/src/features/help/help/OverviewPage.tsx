import { IconBook2, IconFiles, IconHelp, IconMail, IconVideo } from '@tabler/icons-react';
import { Link } from '../../../ui/Link.tsx';
import { paths } from '../../../paths.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { useIsSupplyTeacher } from '../../../shared/use-is-supply-teacher.ts';
import { useSearchParamDraft } from '../../../shared/use-search-param-draft.ts';
import { QueryForm } from '../../../ui/QueryForm.tsx';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { Tiles } from '../../../ui/Tiles.tsx';
import css from './OverviewPage.module.css';
import { HelpResults } from './components/HelpResults.tsx';

const AREAS = [
  {
    title: 'User guide',
    text: 'Every screen explained, step by step. Read it here or download it.',
    to: paths.userGuide(),
    icon: IconBook2,
  },
  {
    title: 'Video guides',
    text: 'Everyday tasks and setting up, each in less than a minute.',
    to: paths.videoGuides(),
    icon: IconVideo,
  },
  {
    title: 'Templates',
    text: 'Spreadsheets for pupils and teachers, and certificates to print.',
    to: paths.templates(),
    icon: IconFiles,
  },
  { title: 'FAQs', text: 'What schools ask us most often.', to: paths.faqs(), icon: IconHelp },
  { title: 'Contact', text: 'Contact our support team.', to: paths.contact(), icon: IconMail },
];

const DEBOUNCE_MS = 300;

/** The start page of help and support. */
export default function OverviewPage() {
  // Support answers by email.
  const isSupply = useIsSupplyTeacher();
  const { draft, setDraft, commit } = useSearchParamDraft('search', DEBOUNCE_MS);
  return (
    <>
      <PageHeader title="Help and support" />
      <div className="narrow below-2xl" role="search">
        <QueryForm sets={['search']} action="Search" onSubmit={() => commit()}>
          <SearchBox
            label="Search the help"
            name="search"
            value={draft}
            placeholder="For example, password"
            onChange={setDraft}
          />
        </QueryForm>
      </div>
      <HelpResults searchText={draft.trim()} />
      <Tiles minWidth="19rem">
        {(isSupply ? AREAS.filter(({ to }) => to !== paths.contact()) : AREAS).map(
          ({ title, text, to, icon: Icon }) => (
            <li key={to}>
              <Link to={to} className={css.area}>
                <Icon size={32} stroke={1.6} aria-hidden />
                <span>
                  <strong>{title}</strong>
                  <span className="soft">{text}</span>
                </span>
              </Link>
            </li>
          ),
        )}
      </Tiles>
    </>
  );
}
