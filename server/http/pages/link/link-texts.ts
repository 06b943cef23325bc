// The texts of the pages of links, in the languages of share pages.
import type { Language } from '../share/texts.ts'

export interface LinkTexts {
  images: (count: number) => string
  slideshow: string
  /** @param what such as '12 images, 48 MB' */
  downloadAll: (what: string) => string
  more: string
  empty: string
  emptyHint: string
  /** In place of an image that every view takes away from. */
  limited: string
  protected: string
  protectedHint: string
  password: string
  open: string
  wrongPassword: string
  /** @param when such as 'in 14 minutes' */
  tooManyTries: (when: string) => string
  tooManyDownloads: (when: string) => string
  ended: string
  endedHint: string
  viewer: string
  close: string
  previous: string
  next: string
  play: string
  pause: string
}

const texts = {
  en: {
    images: (count) => (count === 1 ? '1 image' : `${count.toLocaleString('en')} images`),
    slideshow: 'Slideshow',
    downloadAll: (what) => `Download all (${what})`,
    more: 'More',
    empty: 'No images here yet',
    emptyHint: 'Come back later: they appear here as soon as they are added.',
    limited: 'Can be viewed a few times only',
    protected: 'This link has a password',
    protectedHint: 'Whoever sent you the link can tell it to you.',
    password: 'Password',
    open: 'Open',
    wrongPassword: 'This password is wrong. Check it and try again.',
    tooManyTries: (when) => `Too many wrong passwords. Try again ${when}.`,
    tooManyDownloads: (when) => `Too many downloads. Try again ${when}.`,
    ended: 'This link has ended or never existed',
    endedHint: 'Check the address for a typing mistake, or ask whoever sent it to you for a new one.',
    viewer: 'Image viewer',
    close: 'Close',
    previous: 'Previous image',
    next: 'Next image',
    play: 'Play slideshow',
    pause: 'Pause slideshow',
  },
  de: {
    images: (count) => (count === 1 ? '1 Bild' : `${count.toLocaleString('de')} Bilder`),
    slideshow: 'Diashow',
    downloadAll: (what) => `Alle herunterladen (${what})`,
    more: 'Mehr',
    empty: 'Hier sind noch keine Bilder',
    emptyHint: 'Schauen Sie später wieder vorbei: Neue Bilder erscheinen sofort.',
    limited: 'Kann nur wenige Male angesehen werden',
    protected: 'Dieser Link hat ein Passwort',
    protectedHint: 'Wer Ihnen den Link geschickt hat, kann es Ihnen sagen.',
    password: 'Passwort',
    open: 'Öffnen',
    wrongPassword: 'Dieses Passwort ist falsch. Bitte prüfen und noch einmal versuchen.',
    tooManyTries: (when) => `Zu viele falsche Passwörter. Bitte ${when} noch einmal versuchen.`,
    tooManyDownloads: (when) => `Zu viele Downloads. Bitte ${when} noch einmal versuchen.`,
    ended: 'Dieser Link ist beendet oder hat nie existiert',
    endedHint: 'Prüfen Sie die Adresse auf Tippfehler, oder fragen Sie, wer sie Ihnen geschickt hat, nach einer neuen.',
    viewer: 'Bildansicht',
    close: 'Schließen',
    previous: 'Vorheriges Bild',
    next: 'Nächstes Bild',
    play: 'Diashow abspielen',
    pause: 'Diashow anhalten',
  },
  es: {
    images: (count) => (count === 1 ? '1 imagen' : `${count.toLocaleString('es')} imágenes`),
    slideshow: 'Presentación',
    downloadAll: (what) => `Descargar todo (${what})`,
    more: 'Más',
    empty: 'Aún no hay imágenes aquí',
    emptyHint: 'Vuelva más tarde: aparecerán en cuanto se añadan.',
    limited: 'Solo se puede ver unas pocas veces',
    protected: 'Este enlace tiene una contraseña',
    protectedHint: 'Quien le envió el enlace puede decírsela.',
    password: 'Contraseña',
    open: 'Abrir',
    wrongPassword: 'La contraseña no es correcta. Compruébela e inténtelo de nuevo.',
    tooManyTries: (when) => `Demasiadas contraseñas incorrectas. Inténtelo de nuevo ${when}.`,
    tooManyDownloads: (when) => `Demasiadas descargas. Inténtelo de nuevo ${when}.`,
    ended: 'Este enlace ha terminado o nunca ha existido',
    endedHint: 'Compruebe que la dirección esté bien escrita o pida una nueva a quien se la envió.',
    viewer: 'Visor de imágenes',
    close: 'Cerrar',
    previous: 'Imagen anterior',
    next: 'Imagen siguiente',
    play: 'Iniciar presentación',
    pause: 'Pausar presentación',
  },
  fr: {
    images: (count) => (count < 2 ? `${count} image` : `${count.toLocaleString('fr')} images`),
    slideshow: 'Diaporama',
    downloadAll: (what) => `Tout télécharger (${what})`,
    more: 'Plus',
    empty: 'Pas encore d’images ici',
    emptyHint: 'Revenez plus tard : elles apparaîtront dès qu’elles seront ajoutées.',
    limited: 'Ne peut être vue que quelques fois',
    protected: 'Ce lien a un mot de passe',
    protectedHint: 'La personne qui vous a envoyé le lien peut vous le donner.',
    password: 'Mot de passe',
    open: 'Ouvrir',
    wrongPassword: 'Ce mot de passe est incorrect. Vérifiez-le et réessayez.',
    tooManyTries: (when) => `Trop de mots de passe incorrects. Réessayez ${when}.`,
    tooManyDownloads: (when) => `Trop de téléchargements. Réessayez ${when}.`,
    ended: 'Ce lien a pris fin ou n’a jamais existé',
    endedHint: 'Vérifiez l’adresse, ou demandez-en une nouvelle à la personne qui vous l’a envoyée.',
    viewer: 'Visionneuse',
    close: 'Fermer',
    previous: 'Image précédente',
    next: 'Image suivante',
    play: 'Lancer le diaporama',
    pause: 'Mettre en pause le diaporama',
  },
  it: {
    images: (count) => (count === 1 ? '1 immagine' : `${count.toLocaleString('it')} immagini`),
    slideshow: 'Presentazione',
    downloadAll: (what) => `Scarica tutto (${what})`,
    more: 'Altro',
    empty: 'Qui non ci sono ancora immagini',
    emptyHint: 'Torni più tardi: appariranno appena saranno aggiunte.',
    limited: 'Può essere vista solo poche volte',
    protected: 'Questo link ha una password',
    protectedHint: 'Chi le ha inviato il link può dirgliela.',
    password: 'Password',
    open: 'Apri',
    wrongPassword: 'Questa password è sbagliata. La controlli e riprovi.',
    tooManyTries: (when) => `Troppe password sbagliate. Riprovi ${when}.`,
    tooManyDownloads: (when) => `Troppi download. Riprovi ${when}.`,
    ended: 'Questo link è terminato o non è mai esistito',
    endedHint: 'Controlli che l’indirizzo sia scritto bene, o ne chieda uno nuovo a chi glielo ha inviato.',
    viewer: 'Visualizzatore',
    close: 'Chiudi',
    previous: 'Immagine precedente',
    next: 'Immagine successiva',
    play: 'Avvia la presentazione',
    pause: 'Metti in pausa la presentazione',
  },
  ja: {
    images: (count) => `画像${count.toLocaleString('ja')}枚`,
    slideshow: 'スライドショー',
    downloadAll: (what) => `すべてダウンロード（${what}）`,
    more: 'もっと見る',
    empty: 'まだ画像がありません',
    emptyHint: '追加されるとすぐにここに表示されます。',
    limited: '表示できる回数に限りがあります',
    protected: 'このリンクにはパスワードが必要です',
    protectedHint: 'リンクを送った人に尋ねてください。',
    password: 'パスワード',
    open: '開く',
    wrongPassword: 'パスワードが違います。確認してもう一度お試しください。',
    tooManyTries: (when) => `パスワードの間違いが多すぎます。${when}にもう一度お試しください。`,
    tooManyDownloads: (when) => `ダウンロードが多すぎます。${when}にもう一度お試しください。`,
    ended: 'このリンクは終了したか、存在しません',
    endedHint: 'アドレスに誤りがないか確認するか、送った人に新しいアドレスを尋ねてください。',
    viewer: '画像ビューア',
    close: '閉じる',
    previous: '前の画像',
    next: '次の画像',
    play: 'スライドショーを再生',
    pause: 'スライドショーを一時停止',
  },
  pt: {
    images: (count) => (count === 1 ? '1 imagem' : `${count.toLocaleString('pt')} imagens`),
    slideshow: 'Apresentação',
    downloadAll: (what) => `Descarregar tudo (${what})`,
    more: 'Mais',
    empty: 'Ainda não há imagens aqui',
    emptyHint: 'Volte mais tarde: aparecem assim que forem adicionadas.',
    limited: 'Só pode ser vista algumas vezes',
    protected: 'Este link tem uma palavra-passe',
    protectedHint: 'Quem lhe enviou o link pode dizer-lha.',
    password: 'Palavra-passe',
    open: 'Abrir',
    wrongPassword: 'Esta palavra-passe está errada. Verifique-a e tente novamente.',
    tooManyTries: (when) => `Demasiadas palavras-passe erradas. Tente novamente ${when}.`,
    tooManyDownloads: (when) => `Demasiadas transferências. Tente novamente ${when}.`,
    ended: 'Este link terminou ou nunca existiu',
    endedHint: 'Verifique se o endereço está bem escrito ou peça um novo a quem lho enviou.',
    viewer: 'Visualizador',
    close: 'Fechar',
    previous: 'Imagem anterior',
    next: 'Imagem seguinte',
    play: 'Iniciar apresentação',
    pause: 'Pausar apresentação',
  },
  zh: {
    images: (count) => `${count.toLocaleString('zh')} 张图片`,
    slideshow: '幻灯片',
    downloadAll: (what) => `全部下载（${what}）`,
    more: '更多',
    empty: '这里还没有图片',
    emptyHint: '添加后会立即显示在这里，请稍后再来。',
    limited: '只能查看有限次数',
    protected: '此链接需要密码',
    protectedHint: '请向发送链接的人询问密码。',
    password: '密码',
    open: '打开',
    wrongPassword: '密码错误，请检查后重试。',
    tooManyTries: (when) => `密码错误次数过多，请${when}再试。`,
    tooManyDownloads: (when) => `下载次数过多，请${when}再试。`,
    ended: '此链接已结束或从未存在',
    endedHint: '请检查地址是否有误，或向发送者索取新的地址。',
    viewer: '图片查看器',
    close: '关闭',
    previous: '上一张图片',
    next: '下一张图片',
    play: '播放幻灯片',
    pause: '暂停幻灯片',
  },
} as const satisfies Record<Language, LinkTexts>

export const linkTextsIn = (language: Language): LinkTexts => texts[language]

/** @returns such as 'in 14 minutes' */
export const inTime = (seconds: number, language: Language): string =>
  new Intl.RelativeTimeFormat(language).format(Math.ceil(seconds / 60), 'minute')
