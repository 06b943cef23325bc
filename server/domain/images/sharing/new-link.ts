// The row of a new link, which everyone can open until its settings say otherwise.
import { limits } from '../../../../contract/plain/limits.ts'
import type { LinksTable } from '../../../db/schema.ts'
import type { Deps } from '../../shared/deps.ts'
import { newId } from '../../shared/secrets.ts'

type Owner = Pick<LinksTable, 'owner_id' | 'guest_token_hash' | 'album_id'>

export const newLink = (deps: Pick<Deps, 'now' | 'randomBytes'>, owner: Owner): LinksTable => ({
  ...owner,
  id: newId(deps),
  slug: newSlug(deps),
  name: '',
  note: '',
  shows_private: 0,
  password_hash: null,
  starts_at: null,
  ends_at: null,
  views_left: null,
  can_download: 1,
  max_size: null,
  watermark: '',
  version: 0,
  views: 0,
  last_viewed_at: null,
  created_at: deps.now(),
  revoked_at: null,
})

/** Without letters and digits that look alike. Each stands for 5 random bits. */
const slugCharacters = 'abcdefghijkmnpqrstuvwxyz23456789'

/** 60 bits: nobody finds the link of somebody else by trying. */
const newSlug = ({ randomBytes }: Pick<Deps, 'randomBytes'>): string =>
  Array.from(randomBytes(limits.links.slugLength), (byte) => slugCharacters[byte % slugCharacters.length]).join('')
