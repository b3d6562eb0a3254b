import { useParams } from 'react-router';
import { CARDS_AT_ONCE } from '#contract/limits.ts';
import { paths } from '../../paths.ts';
import { ApiError } from '../../shared/api-error.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { count } from '../../shared/format.ts';
import { useSchoolId } from '../../shared/session.ts';
import { usePrefetchedQuery } from '../../shared/use-prefetched-query.ts';
import { Notice } from '../../ui/Notice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useIsTeachingOpen } from '../school/school.public.ts';
import { LoginDownloads } from './components/LoginDownloads.tsx';
import { CardSheet } from './components/CardSheet.tsx';
import { followedResetQuery } from './login-cards.api.ts';
import css from './LoginsPage.module.css';

/** Opened by the email about new logins: the user who requested them downloads them here. */
export default function LoginsPage() {
  const { id = '' } = useParams();
  const isTeachingOpen = useIsTeachingOpen();
  const found = usePrefetchedQuery(followedResetQuery(useSchoolId(), id));
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
            ? 'For the pupil whose password was reset.'
            : `For the ${count(reset.total, 'pupil')} whose passwords were reset.`)
        }
      />
      {isMissing ? (
        <Notice kind="warning">
          You cannot see these logins. Only the person who reset the passwords can. Check that you are logged in with
          the email address that we sent the link to.
        </Notice>
      ) : !reset ? (
        <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />
      ) : reset.status === 'loading' ? (
        <Notice>We are making the new logins. They will appear here when they are ready.</Notice>
      ) : reset.status === 'none' ? (
        <Notice kind="error">We could not make the new passwords. The old ones still work. Please try again.</Notice>
      ) : reset.links ? (
        <div className={css.logins}>
          {reset.total <= CARDS_AT_ONCE && <CardSheet source={{ resetId: id }} />}
          <section aria-labelledby="files">
            <h2 id="files">Files</h2>
            <LoginDownloads links={reset.links} isAside={reset.total <= CARDS_AT_ONCE} />
          </section>
        </div>
      ) : (
        <Notice kind="warning">
          These logins were available for 24 hours. If the cards are lost, reset the passwords again.
        </Notice>
      )}
    </>
  );
}
