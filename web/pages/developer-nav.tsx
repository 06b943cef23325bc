// The pages for developers, under one entry of the account menu: keys, webhooks, documentation, clients.
import { Link } from 'wouter'
import { paths } from '../paths.ts'
import { developers } from '../texts/shell-messages.ts'
import '../styles/developer-nav.css'

/** Of the page of API keys: the part that has its own entry. */
export const webhooksSearch = '?tab=webhooks'

const places = {
  keys: paths.apiKeys,
  webhooks: paths.apiKeys + webhooksSearch,
  docs: paths.apiDocs,
  tools: paths.tools,
}
type Place = keyof typeof places

/** Looks like tabs; each is a page with an address of its own. */
export const DeveloperNav = ({ current }: { current: Place }) => (
  <nav aria-label={developers.title} className="tab-list developer-nav">
    {(Object.keys(places) as Place[]).map((place) => (
      <Link
        key={place}
        to={places[place]}
        replace={place === current}
        className="tab"
        aria-current={place === current ? 'page' : undefined}
      >
        {developers[place]}
      </Link>
    ))}
  </nav>
)
