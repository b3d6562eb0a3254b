import {
  IconBook2,
  IconBuilding,
  IconChartBar,
  IconCreditCard,
  IconFiles,
  IconHelp,
  IconLifebuoy,
  IconMail,
  IconSchool,
  IconUser,
  IconUsersGroup,
  IconUserStar,
  IconVideo,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { User } from '#contract/calls/access.ts';
import type { School } from '#contract/calls/school.ts';
import { paths } from '../paths.ts';
import { can, type Right } from '../shared/can.ts';

export interface NavigationItem {
  text: string;
  to: string;
  icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  right?: Right;
  /** Further paths of the area, with all below them. */
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
      { text: 'My details', to: paths.account(), icon: IconUser },
      { text: 'Subscription', to: paths.subscription(), icon: IconCreditCard, right: 'manage_subscription' },
    ],
  },
  {
    title: 'SCHOOL',
    items: [
      { text: 'Dashboard', to: paths.dashboard(), icon: IconChartBar },
      { text: 'School', to: paths.school(), icon: IconBuilding, covers: [paths.editSchool()] },
      { text: 'Teachers', to: paths.teachers(), icon: IconUserStar, covers: [paths.addTeacher()] },
      { text: 'Classes', to: paths.classes(), icon: IconSchool, covers: [paths.yearEnd()] },
      {
        text: 'Pupils',
        to: paths.pupils(),
        icon: IconUsersGroup,
        covers: [paths.addPupilsToSchool(), '/school/readers', '/logins'],
      },
    ],
  },
  {
    title: 'HELP & SUPPORT',
    items: [
      { text: 'Overview', to: paths.overview(), icon: IconLifebuoy },
      { text: 'User guide', to: paths.userGuide(), icon: IconBook2 },
      { text: 'Video guides', to: paths.videoGuides(), icon: IconVideo },
      { text: 'Templates', to: paths.templates(), icon: IconFiles },
      { text: 'FAQs', to: paths.faqs(), icon: IconHelp },
      { text: 'Contact', to: paths.contact(), icon: IconMail },
    ],
  },
];

/** What of it a person may reach. */
export const navigationFor = (user: User, school: School | undefined): NavigationSection[] =>
  navigation.map(({ title, items }) => ({
    title,
    items: items.filter(({ right }) => !right || can(user, right, school)),
  }));

const lies = (path: string, under: string) => path === under || (under !== '/' && path.startsWith(`${under}/`));

/** The area that a page belongs to, as its item's path. Of two that hold it the nearer one: `/school/add-readers` is of the pupils. */
export function areaOf(path: string): string | undefined {
  const found = navigation
    .flatMap(({ items }) => items)
    .flatMap(({ to, covers = [] }) => [to, ...covers].filter((root) => lies(path, root)).map((root) => ({ to, root })));
  return found.sort((a, b) => b.root.length - a.root.length)[0]?.to;
}
