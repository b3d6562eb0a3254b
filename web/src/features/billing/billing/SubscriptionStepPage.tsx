import { Navigate, useParams } from '../../../shared/router.ts';
import { paths } from '../../../paths.ts';
import { can } from '../../../shared/can.ts';
import { PRODUCT_NAME } from '../../../shared/product.ts';
import { useIsOutsideUk } from '../../../shared/time-zone.ts';
import { useSession } from '../../../shared/session.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { FormActions } from '../../../ui/Form.tsx';
import { LogOutButton } from '../../../ui/LogOutForm.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { SpeakToAdmin } from '../../school/succession/succession.public.ts';
import { ContactRequestForm } from './components/ContactRequestForm.tsx';

/** The steps of a subscription that do not need a school yet, by the last part of the path. */
export default function SubscriptionStepPage() {
  const { action } = useParams();
  if (action === 'register' || action === 'start') return <NewSubscription isRegistered={action === 'register'} />;
  if (action === 'renew') return <Renewal />;
  if (action === 'warning') return <Warning />;
  return <Navigate to={paths.logout()} replace />;
}

/** Visitors abroad ask us to contact them instead of choosing a package. */
function NewSubscription({ isRegistered }: { isRegistered: boolean }) {
  const user = useSession()?.user;
  const title = isRegistered && user ? 'You are registered' : 'Start a subscription';
  if (useIsOutsideUk())
    return (
      <>
        <PageHeader
          title={title}
          lead={`Outside the United Kingdom, we set ${PRODUCT_NAME} up together with you. Tell us when we can contact you.`}
        />
        <ContactRequestForm action="start" />
        <div className="above-2xl">
          <FormActions>
            {!user?.enterprise && (
              <ButtonLink to={paths.registerSchool()} variant="default">
                Register school
              </ButtonLink>
            )}
            {user && <LogOutButton />}
          </FormActions>
        </div>
      </>
    );
  if (user?.enterprise)
    return (
      <>
        <PageHeader title={title} lead={`${user.enterprise.name} is registered.`} />
        {can(user, 'manage_subscription') ? (
          <ButtonLink to={paths.selectSubscription()}>Choose a package</ButtonLink>
        ) : (
          <SpeakToAdministrator what="To start a subscription" />
        )}
      </>
    );
  return (
    <>
      <PageHeader
        title={title}
        lead="Next, register your school and accept the terms. Then choose a package, or try it free for 30 days."
      />
      <FormActions>
        <ButtonLink to={paths.registerSchool()}>Register your school</ButtonLink>
        {user && <LogOutButton />}
      </FormActions>
    </>
  );
}

function Renewal() {
  const user = useSession()?.user;
  const canManage = user !== undefined && can(user, 'manage_subscription');
  return (
    <>
      <PageHeader title="Renew your subscription" />
      {user && !canManage ? (
        <SpeakToAdministrator what="To renew the subscription of your school" />
      ) : (
        <>
          <p>
            {canManage
              ? 'You can extend the subscription near its end, or ask us to contact you.'
              : 'Log in to extend the subscription of your school, or ask us to contact you.'}
          </p>
          <FormActions>
            <ButtonLink
              to={canManage ? paths.subscription() : paths.login({ redirect: paths.subscription() })}
              variant="default"
            >
              {canManage ? 'View the subscription' : 'Log in'}
            </ButtonLink>
          </FormActions>
          <h2 className="above-2xl">Ask us to contact you</h2>
          <ContactRequestForm action="renew" />
        </>
      )}
    </>
  );
}

function Warning() {
  const user = useSession()?.user;
  if (user?.enterprise) return <Navigate to={paths.dashboard()} replace />;
  return (
    <>
      <PageHeader title={user ? 'This account has no school' : 'For schools only'} />
      <Notice kind="warning">
        {user
          ? `${user.email} is not a school account, and this portal is only for schools. `
          : 'This portal is only for school staff. '}
        If your school uses {PRODUCT_NAME}, please speak to your school administrator and ask for an invitation.
      </Notice>
      <FormActions>
        {user ? <LogOutButton /> : <ButtonLink to={paths.login()}>Log in</ButtonLink>}
        <ButtonLink to={paths.subscriptionStep('start')} variant="default">
          Start a subscription
        </ButtonLink>
      </FormActions>
    </>
  );
}

const SpeakToAdministrator = ({ what }: { what: string }) => (
  <>
    <Notice kind="warning">
      <SpeakToAdmin what={what} />
    </Notice>
    <ButtonLink to={paths.dashboard()}>Go to main page</ButtonLink>
  </>
);
