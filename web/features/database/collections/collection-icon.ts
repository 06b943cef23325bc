import {
  Car,
  CircleQuestionMark,
  Database,
  Factory,
  Folders,
  MapPin,
  Palette,
  SlidersHorizontal,
  Users,
  type LucideIcon,
} from 'lucide-react'

const icons = new Map<string, LucideIcon>([
  ['trims', SlidersHorizontal],
  ['destinations', MapPin],
  ['makes', Factory],
  ['models', Car],
  ['faqs', CircleQuestionMark],
  ['faqcategories', Folders],
  ['users', Users],
  ['styles', Palette],
])

export const collectionIcon = (name: string) => icons.get(name) ?? Database
