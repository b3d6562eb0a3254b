import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { CARDS_AT_ONCE } from '#contract/limits.ts';
import { paths } from '../../paths.ts';
import { ApiError } from '../../shared/api-error.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { count } from '../../shared/format.ts';
import { useSchoolId } from '../../shared/session.ts';
import { Notice } from '../../ui/Notice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { useIsTeachingOpen } from '../school/school.public.ts';
import { LoginDownloads } from './components/LoginDownloads.tsx';
import { CardSheet } from './components/CardSheet.tsx';
import { followedResetQuery } from './login-cards.api.ts';
import css from './LoginsPage.module.css';

/** Where the mail about new logins leads: whoever asked for them fetches them here. */
export default function LoginsPage() {
  const { id = '' } = useParams();
  const isTeachingOpen = useIsTeachingOpen();
  const found = useQuery(followedResetQuery(useSchoolId(), id));
  const reset = found.data?.reset;
  const isMissing = found.error instanceof ApiError && [404, 422].includes(found.error.status);

  return (
    <>
      <PageHeader
        title="New logins"
        crumbs={[
          isTeachingOpen ? { text: 'Pupils', to: paths.pupils() } : { text: 'Pupils’ logins', to: paths.pupilLogins() },
        ]}
        lead={
          reset &&
          (reset.total === 1
            ? 'Of the pupil whose password was reset.'
            : `Of the ${count(reset.total, 'pupil')} whose passwords were reset.`)
        }
      />
      {isMissing ? (
        <Notice kind="warning">
          There are no such logins for you. Only the person who asked for new passwords can fetch them: check that you
          are logged in with the email address to which the link was sent.
        </Notice>
      ) : found.error && !reset ? (
        <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />
      ) : !reset ? (
        <PageSkeleton />
      ) : reset.status === 'loading' ? (
        <Notice>The new logins are being made. They appear here as soon as they are ready.</Notice>
      ) : reset.status === 'none' ? (
        <Notice kind="error">The new passwords could not be made. The old ones still work. Please try again.</Notice>
      ) : reset.links ? (
        <div className={css.logins}>
          {reset.total <= CARDS_AT_ONCE && <CardSheet resetId={id} />}
          <section aria-labelledby="files">
            <h2 id="files">Files</h2>
            <LoginDownloads links={reset.links} isAside={reset.total <= CARDS_AT_ONCE} />
          </section>
        </div>
      ) : (
        <Notice kind="warning">
          These logins could be fetched for 24 hours. Reset the passwords again if the cards are lost.
        </Notice>
      )}
    </>
  );
}
