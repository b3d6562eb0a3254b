import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { User } from '#contract/calls/access.ts';
import type { School } from '#contract/calls/school.ts';
import { schoolInvoicesQuery } from '../features/school/school.public.ts';
import { paths } from '../paths.ts';
import { can } from '../shared/can.ts';
import { bannerOf } from './banner.ts';
import css from './Banners.module.css';

/** What concerns the whole school, above every page, for whoever manages the subscription. */
export function Banners({ user, school }: { user: User; school: School | undefined }) {
  const isManager = school !== undefined && can(user, 'manage_subscription', school);
  return isManager ? <SubscriptionBanner school={school} /> : null;
}

function SubscriptionBanner({ school }: { school: School }) {
  const { data } = useQuery(schoolInvoicesQuery(school.id));
  const banner = bannerOf(school.subscription, data?.enterprise.invoices?.meta);
  if (!banner) return null;
  return (
    <aside className={css.banner} aria-label="Subscription">
      <span>{banner.text}</span>
      <Link to={paths[banner.to]()}>{banner.action}</Link>
    </aside>
  );
}
