// The state of the documentation in the page's address, so that everything can be linked and Back works.

export const tabs = ['overview', 'authentication', 'endpoints', 'examples'] as const
export const authTabs = ['bearer', 'api-keys', 'roles'] as const
export const detailTabs = ['examples', 'parameters', 'responses', 'try'] as const
/** The categories of the strip; endpoints in none of them (contact) appear under all. */
export const categories = [
  'all',
  'auth',
  'database',
  'images',
  'albums',
  'api-keys',
  'webhooks',
  'compatibility',
] as const

export type Tab = (typeof tabs)[number]
export type AuthTab = (typeof authTabs)[number]
export type DetailTab = (typeof detailTabs)[number]
export type Category = (typeof categories)[number]

export interface DocsAddress {
  tab: Tab
  authTab: AuthTab
  category: Category
  /** The search text. */
  q: string
  /** The id of the endpoint whose details are open. */
  endpoint: string | undefined
  detail: DetailTab
}

export const maxSearchLength = 100

/** @param known the tab when the fragment names none, such as '#main' of the skip link */
export function addressOf(search: string, hash: string, known?: Tab): DocsAddress {
  const given = new URLSearchParams(search)
  const [tab, authTab] = hash.replace(/^#/, '').split('/')
  const endpoint = given.get('e') || undefined
  const q = (given.get('q') ?? '').slice(0, maxSearchLength)
  const isAboutEndpoints = endpoint !== undefined || q !== '' || given.has('category')
  return {
    tab: oneOf(tabs, tab) ?? (hash === '' ? undefined : known) ?? (isAboutEndpoints ? 'endpoints' : 'overview'),
    authTab: oneOf(authTabs, authTab) ?? authTabs[0],
    category: oneOf(categories, given.get('category')) ?? 'all',
    q,
    endpoint,
    detail: oneOf(detailTabs, given.get('show')) ?? detailTabs[0],
  }
}

/** The query and fragment for the address. */
export function addressText({ tab, authTab, category, q, endpoint, detail }: DocsAddress): string {
  const params = new URLSearchParams()
  if (category !== 'all') params.set('category', category)
  if (q !== '') params.set('q', q)
  if (endpoint !== undefined) params.set('e', endpoint)
  if (endpoint !== undefined && detail !== detailTabs[0]) params.set('show', detail)
  const search = params.size === 0 ? '' : `?${params.toString()}`
  const isFirst = tab !== 'authentication' || authTab === authTabs[0]
  return `${search}#${isFirst ? tab : `${tab}/${authTab}`}`
}

const oneOf = <T extends string>(known: readonly T[], given: string | null | undefined): T | undefined =>
  known.find((one) => one === given)
