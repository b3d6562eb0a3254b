import {
  IconBook2,
  IconBuilding,
  IconChartBar,
  IconCreditCard,
  IconFiles,
  IconHelp,
  IconHistory,
  IconLifebuoy,
  IconMail,
  IconSchool,
  IconShieldLock,
  IconUser,
  IconUsersGroup,
  IconUserStar,
  IconVideo,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { User } from '#contract/calls/access.ts';
import type { School } from '#contract/calls/school.ts';
import type { Role } from '#contract/permissions.ts';
import { type Area, isAreaOpen } from '#contract/school-access.ts';
import { paths } from '../paths.ts';
import { can, type Right } from '../shared/can.ts';
import { isSupplyTeacher } from '../shared/supply-teacher.ts';

export interface NavigationItem {
  text: string;
  to: string;
  icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  right?: Right;
  /** Shown to this role only: the others reach the screen from another page. */
  role?: Role;
  /** The area of its screen; `teaching` when absent. */
  area?: Area;
  /** Its screen is also for supply teachers. */
  forSupply?: true;
  /** Shown only while the school's state closes `teaching`. */
  isWhileClosed?: true;
  /** Other paths of the area. Paths below them count too. */
  covers?: readonly string[];
}

export interface NavigationSection {
  title: string;
  items: readonly NavigationItem[];
}

/** The sidebar. */
export const navigation: readonly NavigationSection[] = [
  {
    title: 'ACCOUNT',
    items: [
      { text: 'My details', to: paths.account(), icon: IconUser, area: 'account' },
      {
        text: 'Subscription',
        to: paths.subscription(),
        icon: IconCreditCard,
        right: 'manage_subscription',
        area: 'billing',
      },
    ],
  },
  {
    title: 'SCHOOL',
    items: [
      {
        text: 'Dashboard',
        to: paths.dashboard(),
        icon: IconChartBar,
        covers: [paths.lowestFifth()],
        right: 'view_pupils',
      },
      {
        text: 'School',
        to: paths.school(),
        icon: IconBuilding,
        covers: [paths.editSchool(), paths.changes(), paths.schoolRecords()],
        area: 'account',
      },
      {
        text: 'Data and privacy',
        to: paths.dataAndPrivacy(),
        icon: IconShieldLock,
        covers: [paths.subjectRequests()],
        right: 'view_privacy',
        role: 'data_protection_officer',
        area: 'records',
      },
      {
        text: 'Changes',
        to: paths.changes(),
        icon: IconHistory,
        right: 'view_privacy',
        role: 'data_protection_officer',
        area: 'records',
      },
      {
        text: 'Teachers',
        to: paths.teachers(),
        icon: IconUserStar,
        covers: [paths.addTeacher(), paths.appointAdmin()],
        area: 'staff',
      },
      {
        text: 'Classes',
        to: paths.classes(),
        icon: IconSchool,
        covers: [paths.yearEnd()],
        right: 'view_pupils',
        forSupply: true,
      },
      {
        text: 'Pupils',
        to: paths.pupils(),
        icon: IconUsersGroup,
        covers: [paths.addPupilsToSchool(), '/school/readers', '/logins'],
        right: 'view_pupils',
        forSupply: true,
      },
      {
        text: 'Pupils’ logins',
        to: paths.pupilLogins(),
        icon: IconUsersGroup,
        covers: [paths.archive(), '/logins'],
        right: 'manage_logins',
        forSupply: true,
        area: 'pupil-logins',
        isWhileClosed: true,
      },
    ],
  },
  {
    title: 'HELP & SUPPORT',
    items: [
      { text: 'Overview', to: paths.overview(), icon: IconLifebuoy, area: 'help', forSupply: true },
      { text: 'User guide', to: paths.userGuide(), icon: IconBook2, area: 'help', forSupply: true },
      { text: 'Video guides', to: paths.videoGuides(), icon: IconVideo, area: 'help', forSupply: true },
      { text: 'Templates', to: paths.templates(), icon: IconFiles, area: 'help', forSupply: true },
      { text: 'FAQs', to: paths.faqs(), icon: IconHelp, area: 'help', forSupply: true },
      { text: 'Contact', to: paths.contact(), icon: IconMail, area: 'help' },
    ],
  },
];

/** The items that a user can open, by their rights and the state of their school. */
export function navigationFor(user: User, school: School | undefined): NavigationSection[] {
  const access = school?.access ?? 'open';
  const isShown = ({ right, role, area = 'teaching', isWhileClosed, forSupply }: NavigationItem) =>
    (!role || role === user.role) &&
    (forSupply || !isSupplyTeacher(user)) &&
    (!right || can(user, right, school)) &&
    isAreaOpen(area, access) &&
    !(isWhileClosed && isAreaOpen('teaching', access));
  return navigation
    .map(({ title, items }) => ({ title, items: items.filter(isShown) }))
    .filter(({ items }) => items.length > 0);
}

const isBelow = (path: string, root: string) => path === root || (root !== '/' && path.startsWith(`${root}/`));

/**
 * The path of the item that a page belongs to: the one with the longest matching root, so that `/school/add-readers`
 * belongs to Pupils. A page that has an item of its own belongs to that.
 */
export function currentItemPath(path: string, sections: readonly NavigationSection[]): string | undefined {
  const found = sections
    .flatMap(({ items }) => items)
    .flatMap(({ to, covers = [] }) =>
      [to, ...covers].filter((root) => isBelow(path, root)).map((root) => ({ to, root })),
    );
  const isOwn = ({ to, root }: { to: string; root: string }) => Number(to === root);
  return found.sort((a, b) => b.root.length - a.root.length || isOwn(b) - isOwn(a))[0]?.to;
}
