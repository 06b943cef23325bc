// The fields of requests in docs/api.md: each meaning is written once, in the widest place where it holds.
import type { EndpointDoc, FieldDoc } from '../contract/derive/endpoint-doc.ts'

/** In the header or, for deleting without headers, in the body. */
const isGuestToken = ({ name }: FieldDoc) => name === 'X-Guest-Token' || name === 'token'

/** Those inside an object whose shape another standard defines. */
const isForeign = ({ name }: FieldDoc, fields: FieldDoc[]) =>
  fields.some(
    ({ name: outer, description = '' }) => name.startsWith(`${outer}.`) && description.endsWith('of WebAuthn'),
  )

type Place = [place: string, fields: FieldDoc[]]

/** Without what the introduction and the access of an endpoint imply. */
const placesOf = ({ guestToken, params, query, headers, body, bodyKind }: EndpointDoc): Place[] => {
  const places: Place[] = [
    ['Path', params.filter(({ description }) => description !== undefined)],
    ['Query', query],
    ['Header', headers.filter((field) => field.name !== 'X-DB-Token' && (!guestToken || !isGuestToken(field)))],
    [
      bodyKind === 'multipart' ? 'Form' : 'Body',
      body.filter((field) => !isForeign(field, body) && (!guestToken || !isGuestToken(field))),
    ],
  ]
  return places.map(([place, fields]) => [place, fields.map(withCommonTexts)])
}

/** `limit` counts users, images and so on, whatever the endpoint lists. */
const withCommonTexts = (field: FieldDoc): FieldDoc =>
  field.description?.endsWith(' per page') ? { ...field, description: 'How many a page has at most' } : field

export const kindOf = ({ name, type }: FieldDoc) => `${name} ${type}`
const allFieldsOf = (docs: EndpointDoc[]) => docs.flatMap((doc) => placesOf(doc).flatMap(([, fields]) => fields))

/** What the fields of one name and type mean, unless it is said otherwise. */
type Meanings = Map<string, FieldDoc>

/** Texts that several fields have. Where a kind of field has several, the most frequent; none where one has no text. */
export function meaningsOf(fields: FieldDoc[]): Meanings {
  const uses = groupsOf(fields, ({ description }) => description)
  const meanings: Meanings = new Map()
  const usesOf = ({ description }: FieldDoc) => uses.get(description)?.length ?? 0
  for (const field of fields) {
    const known = meanings.get(kindOf(field))
    if (usesOf(field) > 1 && (known === undefined || usesOf(field) > usesOf(known))) meanings.set(kindOf(field), field)
  }
  for (const field of fields) if (field.description === undefined) meanings.delete(kindOf(field))
  return meanings
}

function groupsOf<Value, Key>(values: Value[], keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>()
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value])
  return groups
}

export interface FieldTexts {
  /** Of the fields that endpoints of several categories have. */
  everywhere: string
  /** Of those that only endpoints of this category have. */
  ofCategory: (category: string) => string
  /** The lines about the fields of an endpoint. */
  ofEndpoint: (doc: EndpointDoc) => string[]
}

export function fieldTexts(docs: EndpointDoc[]): FieldTexts {
  const allFields = allFieldsOf(docs)
  const categories = [...groupsOf(docs, ({ category }) => category)].map(
    ([category, its]) => [category, allFieldsOf(its)] as const,
  )
  const isOfSeveral = ({ description }: FieldDoc) =>
    categories.filter(([, fields]) => fields.some((field) => field.description === description)).length > 1
  const everywhere: Meanings = new Map([...meaningsOf(allFields)].filter(([, field]) => isOfSeveral(field)))
  const own = new Map<string, Meanings>(
    categories.map(([category, fields]) => [
      category,
      new Map(
        [...meaningsOf(fields)].filter(([kind, field]) => everywhere.get(kind)?.description !== field.description),
      ),
    ]),
  )
  const isShared = (field: FieldDoc, category: string) =>
    field.description !== undefined &&
    (own.get(category)?.get(kindOf(field)) ?? everywhere.get(kindOf(field)))?.description === field.description
  const typesOf = (name: string) => new Set(allFields.filter((field) => field.name === name).map(({ type }) => type))
  const earlier = new Map<string, string>()

  const ofPlace = (place: string, all: FieldDoc[], { category, method, path }: EndpointDoc): string[] => {
    const fields = place === 'Path' ? all.filter((field) => !isShared(field, category)) : all
    if (fields.length === 0) return []
    const same = `${category} ${place} ${JSON.stringify(fields.map(({ name, type, description }) => [name, type, description]))}`
    const first = earlier.get(same)
    if (first !== undefined && fields.length > 3) return [`${place}: as of \`${first}\`.`]
    earlier.set(same, `${method} ${path}`)
    const [plain, others] = [[], []] as [string[], FieldDoc[]]
    for (const field of fields) {
      if (!isShared(field, category) && field.description !== undefined) others.push(field)
      // Its type is where its meaning is.
      else
        plain.push(
          nameOf(isShared(field, category) && typesOf(field.name).size === 1 ? { ...field, type: 'string' } : field),
        )
    }
    return [fieldList(`${place}:`, plain, others)]
  }
  return {
    everywhere: bulletsOf([...everywhere.values()].map(asRequired)).join('\n'),
    ofCategory: (category) => bulletsOf([...(own.get(category)?.values() ?? [])].map(asRequired)).join('\n'),
    ofEndpoint: (doc) => placesOf(doc).flatMap(([place, fields]) => ofPlace(place, fields, doc)),
  }
}

export const asRequired = (field: FieldDoc) => ({ ...field, required: true })

/** Fields that explain themselves share a line, and so do those with the same text. */
export function fieldList(start: string, plain: string[], described: FieldDoc[]): string {
  const bullets = bulletsOf(described)
  if (plain.length === 0 && bullets.length === 1) return `${start} ${bullets[0]?.slice('- '.length)}`.trim()
  return [...(start === '' && plain.length === 0 ? [] : [`${start} ${plain.join(', ')}`.trim()]), ...bullets].join('\n')
}

export const bulletsOf = (fields: FieldDoc[]) =>
  [...groupsOf(fields, ({ description = '' }) => description)].map(
    ([description, its]) => `- ${its.map(nameOf).join(', ')}: ${description}`,
  )

export function nameOf({ name, type, required }: FieldDoc): string {
  const shown = `\`${name}${required ? '' : '?'}\``
  const choices = type.replaceAll(/one of ([^()]+)/g, (_, list: string) => list.replaceAll(', ', '|'))
  const list = choices.replaceAll(/array of (\S+)/g, (_, of: string) => (of.includes('|') ? `(${of})[]` : `${of}[]`))
  return type === 'string' || type === 'file' ? shown : `${shown} (${list.replaceAll(' or ', '|')})`
}
