import { ErrorNotice } from './ErrorNotice.tsx';
import { PageHeader } from './PageHeader.tsx';

/** A document that could not be loaded. It works without scripts. */
export const LoadFailure = ({ title, error }: { title: string; error: unknown }) => (
  <>
    <PageHeader title={title} />
    <ErrorNotice error={error} />
    <p>
      {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid -- an empty address loads the same page again */}
      <a href="">Try again</a>
    </p>
  </>
);
