import { queryOptions, useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { apiKeyList } from '../../model/api-keys.ts'
import { client } from '../../model/http.ts'
import { useSources } from '../../model/images/own-image.ts'
import { queryClient } from '../../model/query-client.ts'
import { tools } from '../../texts/tools-messages.ts'
import { ImageWithFallback } from '../../ui/sourced-image.tsx'

/** A tenth of the requests that an address has. */
const pollMs = 5000

interface Props {
  /** The name of the client. */
  name: string
  keyId: string
}

/** Waits for the first upload with a key, and shows it. */
export function UploadWatch({ name, keyId }: Props) {
  const { data: state = 'waiting' } = useQuery(
    {
      ...apiKeyList,
      select: (keys): UploadState => stateOf(keys.find(({ id }) => id === keyId)),
      refetchInterval: ({ state: { data } }) =>
        stateOf(data?.find(({ id }) => id === keyId)) === 'works' ? false : pollMs,
      // The client is another window: the page that gets the focus again must not wait for its next poll.
      refetchOnWindowFocus: 'always',
    },
    queryClient,
  )
  return (
    <div role="status" className="tools-watch" data-state={state}>
      {state === 'works' && <Arrival />}
      {state === 'refused' && (
        <>
          <CircleAlert className="size-5.5 shrink-0 text-warning-text" aria-hidden />
          <Result title={tools.test.refused(name)} text={tools.test.refusedText} />
        </>
      )}
      {state === 'waiting' && (
        <>
          <LoaderCircle className="size-5.5 shrink-0 animate-spin text-text-3" aria-hidden />
          <Result title={tools.test.waiting(name)} text={tools.test.waitingText} />
        </>
      )}
    </div>
  )
}

type UploadState = 'waiting' | 'refused' | 'works'

/** Only successful uploads count towards a key's bytes. */
function stateOf(key: { lastUsed: string | null; uploadedBytes: number } | undefined): UploadState {
  if (key === undefined || key.lastUsed === null) return 'waiting'
  return key.uploadedBytes > 0 ? 'works' : 'refused'
}

const newestImage = queryOptions({
  queryKey: ['newest image'],
  queryFn: async () => (await client.listImages({ query: { limit: '1' } })).items[0] ?? null,
  staleTime: 0,
  gcTime: 0,
})

/** The image that arrived is the newest one. */
function Arrival() {
  const { data: image } = useQuery(newestImage, queryClient)
  return (
    <>
      <CircleCheck className="size-5.5 shrink-0 text-success-text" aria-hidden />
      <Result title={tools.test.works} text={image ? tools.test.worksText(image.original_name) : ''} />
      {image && (
        <a className="tools-arrival" href={image.url} target="_blank" rel="noopener" aria-label={tools.test.open}>
          <ArrivedImage image={image} />
        </a>
      )}
    </>
  )
}

function ArrivedImage({ image }: { image: Image }) {
  const sources = useSources(image, [image.thumbnailUrl, image.url])
  return <ImageWithFallback sources={sources} alt="" className="size-full object-cover" />
}

function Result({ title, text }: { title: string; text: string }) {
  return (
    <div className="min-w-0 flex-1">
      <p className="font-medium">{title}</p>
      <p className="line-clamp-2 text-dense wrap-anywhere text-text-2">{text}</p>
    </div>
  )
}
