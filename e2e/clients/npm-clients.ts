// Clients from npm, in the versions below.
import { createReadStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setupParts } from '../../contract/client-setups/clients.ts'
import { type ClientRun, confirmDeletion, type Context, outputOf, type Uploaded } from './client-run.ts'

const versions = {
  picgo: '3.1.0',
  'picgo-plugin-web-uploader': '1.1.1',
  'picgo-plugin-lankong': '1.1.3',
  'picgo-plugin-lsky-uploader': '1.1.0',
  'imgbb-uploader': '1.5.1',
  imgur: '2.6.1',
  'twikoo-func': '1.7.9',
}
export const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`)

const picGo = (plugin: keyof typeof versions) => `PicGo ${versions.picgo}, ${plugin.slice(13)} ${versions[plugin]}`

/** The comments of a blog, whose images go to the service that its owner chooses. */
const twikooServices: Record<string, { api: string; urlOf: (origin: string) => string }> = {
  lskypro: { api: 'Lsky Pro v2', urlOf: (origin) => origin },
  piclist: { api: 'PicList server', urlOf: (origin) => origin },
  easyimage: { api: 'EasyImage', urlOf: (origin) => `${origin}/api/upload` },
  chevereto: { api: 'Chevereto v1', urlOf: (origin) => origin },
}

export const npmClients: ClientRun[] = [
  {
    client: picGo('picgo-plugin-web-uploader'),
    api: 'native, the file of /tools',
    album: 'customBody',
    upload(context) {
      const { origin, key, album } = context
      const config = JSON.parse(setupParts('picgo', { origin, siteName: 'Image Host', key })[0]?.text ?? '')
      config.picBed['web-uploader'].customBody = JSON.stringify({ album: album.id })
      return uploadByPicGo(context, JSON.stringify(config))
    },
  },
  ...(['V1', 'V2'] as const).map((version): ClientRun => ({
    client: `${picGo('picgo-plugin-lankong')}, ${version}`,
    api: `Lsky Pro ${version.toLowerCase()}`,
    // Its settings have an album for V2 alone.
    ...(version === 'V2' && { album: 'albumId' }),
    upload: (context) => uploadByPicGo(context, lankong(version, context)),
  })),
  {
    client: picGo('picgo-plugin-lsky-uploader'),
    api: 'Lsky Pro v2',
    upload: (context) => uploadByPicGo(context, configOf('lsky-uploader', { Url: context.origin, Token: context.key })),
  },
  {
    client: `imgbb-uploader ${versions['imgbb-uploader']}`,
    api: 'Chevereto v1',
    album: 'customPayload',
    async upload({ folder, origin, key, photo, album }) {
      const upload = createRequire(join(folder, '/'))('imgbb-uploader')
      const customPayload = { album_id: album.id }
      const { image } = await upload({ apiKey: key, cheveretoHost: origin, imagePath: photo, customPayload })
      return { link: image.url, remove: () => confirmDeletion(image.delete_url) }
    },
  },
  ...(['stream', 'base64'] as const).map((type): ClientRun => ({
    client: `imgur ${versions.imgur}, ${type}`,
    api: 'Imgur v3',
    album: 'createAlbum, album',
    async upload({ folder, origin, manageKey, photo }) {
      const { ImgurClient } = createRequire(join(folder, '/'))('imgur')
      const client = new ImgurClient({ clientId: manageKey })
      client.fetcher.defaults.baseURL = origin
      const image = createReadStream(photo, type === 'base64' ? 'base64' : undefined)
      const { data: album } = await client.createAlbum('Clients', 'Uploads of the library imgur')
      const sent = { image: type === 'base64' ? await textOf(image) : image, type, album: album.id }
      const { data, success } = await client.upload(sent)
      if (!success) throw new Error(JSON.stringify(data))
      const { data: filled } = await client.getAlbum(album.id)
      if (filled.images?.[0]?.id !== data.id) throw new Error(`The album has ${JSON.stringify(filled)}`)
      const found = await client.getImage(data.id)
      if (found.data.link !== data.link) throw new Error(`GET returned ${JSON.stringify(found)}`)
      const { data: listed } = await client.getAlbums('me', 0)
      const { data: ids } = await client.getAlbumsIds('me')
      if (listed[0]?.id !== album.id || ids[0] !== album.id)
        throw new Error(`The lists of albums have ${JSON.stringify([listed, ids])}`)
      return { link: data.link, album: album.id, remove: () => client.deleteImage(data.deletehash) }
    },
  })),
  ...Object.entries(twikooServices).map(([service, { api, urlOf }]): ClientRun => ({
    client: `Twikoo ${versions['twikoo-func']}, ${service}`,
    api,
    async upload({ folder, origin, key, photo }) {
      const { uploadImage } = createRequire(join(folder, '/'))('twikoo-func/utils/image')
      const url = `data:image/jpeg;base64,${await readFile(photo, 'base64')}`
      const config = { IMAGE_CDN: service, IMAGE_CDN_URL: urlOf(origin), IMAGE_CDN_TOKEN: key }
      const { data, err } = await uploadImage({ photo: url, fileName: 'comment.jpg' }, config)
      if (data === undefined) throw new Error(err)
      return { link: data.url, ...(data.del !== undefined && { remove: () => confirmDeletion(data.del) }) }
    },
  })),
]

async function textOf(stream: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of stream) text += part
  return text
}

const configOf = (uploader: string, settings: object) =>
  JSON.stringify({
    picBed: { uploader, current: uploader, [uploader]: settings },
    picgoPlugins: { [`picgo-plugin-${uploader}`]: true },
  })

/** The settings of a plug-in for Lsky Pro. */
const lankong = (lskyProVersion: 'V1' | 'V2', { origin, key, album }: Context) =>
  configOf('lankong', {
    lskyProVersion,
    server: origin,
    // Sent as it is typed.
    token: lskyProVersion === 'V1' ? key : `Bearer ${key}`,
    strategyId: '',
    albumId: album.number,
    permission: 1,
    ignoreCertErr: false,
  })

/** PicGo finds its plug-ins beside its configuration, and exits with 0 when an upload fails. */
async function uploadByPicGo({ folder, photo }: Context, config: string): Promise<Uploaded> {
  const path = join(folder, 'config.json')
  await writeFile(path, config)
  const program = join(folder, 'node_modules/picgo/bin/picgo')
  const output = await outputOf(process.execPath, [program, '--config', path, 'upload', photo])
  const link = /SUCCESS\]:\s*(https?:\/\/\S+)/.exec(output)?.[1]
  if (link === undefined) throw new Error(output)
  return { link }
}
