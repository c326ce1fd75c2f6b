package memory

// Word lists of the English rules. They are closed classes or frequent members
// of open ones; a word that is missing costs a clumsy form, not a wrong speaker.
var (
	interjections = words(`oh ah aw aww ooh ow ugh hm hmm hmmm mm mmm uh um erm er eh wow woah whoa yay yep yup yes yeah yea ye ya nope nah no
		ok okay k kk right well so anyway anyways btw fyi lol lmao rofl haha hahaha hehe omg omfg god gosh jesus christ damn shit fuck argh
		sorry thanks thx ty cheers hi hey hello hiya yo morning bye goodbye night please honestly seriously actually basically look listen
		true sure fine cool great nice lovely perfect brilliant brilliatn exactly obviously absolutely totally definitely indeed congrats congratulations
		also and but plus wait like ha phew yikes ouch oops hooray hurray alas psst eek good news update`)
	tags        = words(`right ok okay yeah yes no lol haha tbh imo btw though tho eh huh please thanks x xx xxx xo then innit`)
	callings    = words(`mum mom mam mummy mommy ma dad daddy pa papa mama gran granny grandma grandpa love dear honey darling babe baby mate dude bro sis man guys folks all everyone boss doc doctor`)
	leansBack   = words(`it it's its that that's this these those they they're they've them he he's she she's her his him which and but so because then there there's also`)
	connectives = words(`and but so or because then , ; - – — :`)

	questionWords = words(`who what which how why whose whom where when whats whos hows wheres whens who's what's how's`)
	inverting     = words(`am is are was were do does did can could will would shall should have has had may might must
		isn't aren't wasn't weren't don't doesn't didn't can't couldn't won't wouldn't shouldn't haven't hasn't hadn't ain't`)
	subjectWords = words(`i you we they he she it this that there these those the a an my your our his her their anyone anybody someone everybody everyone u ya any`)
	beForms      = words(`am is are was were been be isn't aren't wasn't weren't`)
	articles     = words(`a an the`)
	modals       = words(`will would can could shall should may might must won't wouldn't can't cannot couldn't shouldn't mustn't needn't
		was wasn't had hadn't did didn't is isn't has hasn't does doesn't ain't ought gonna wanna gotta used`)
	droppedAux = words(`can't cannot couldn't won't wouldn't haven't didn't wasn't been gonna gotta wanna just'd`)
	// evaluations say how somebody finds a thing, not what it is.
	evaluations = words(`good great nice lovely cool fine okay ok perfect brilliant amazing awesome fantastic wonderful fun funny hilarious sweet cute
		adorable gorgeous beautiful sad awful terrible horrible bad worse worst better best weird strange crazy mad insane wild annoying
		boring interesting exciting excited happy glad proud sorry jealous lucky poor silly stupid ridiculous unbelievable incredible true false
		right wrong fair sure certain same different easy hard tough important serious kidding joking impressive impressed rude mean kind brave clever
		hero legend star genius angel joke pity shame mess nightmare dream luck fault honest welcome grateful thankful delicious yummy super
		thrilled delighted disgusting shocking shocked speechless congrats noted agreed understood sensible typical classic ha`)

	adverbs = words(`just also really still already never always often only actually probably finally even kind sort kinda sorta now then
		not both all almost nearly sometimes usually soon maybe perhaps definitely certainly simply totally literally honestly currently recently
		once twice ever rather quite either neither too so somehow barely hardly mostly mainly`)
	notAdverb    = words(`rely apply reply fly supply imply multiply comply bully ally family only daily ugly italy july curly lovely friendly lonely`)
	prepositions = words(`to for with of about from by on in at into onto over under between without against after before behind near than like around through`)
	// kin are people whom one speaks of as "my …".
	kin = words(`mum mom mother mam mummy mommy dad father daddy parents brother sister siblings son daughter kid kids child children baby
		husband wife partner boyfriend girlfriend fiance fiancee fiancé fiancée ex grandma grandpa gran granny grandmother grandfather grandparents
		aunt uncle cousin nephew niece friend friends flatmate roommate housemate neighbour neighbor neighbours neighbors boss manager
		colleague colleagues teacher doctor therapist landlord landlady tenant client lawyer dentist dog cat`)

	// commands are verbs that often open an order or a request.
	commands = words(`tell send ask go come take let look keep give call stop wait show check remember imagine note bring get make try use
		help hold leave read write watch listen open close turn move sit stand stay join follow ignore forget reveal print treat act promise swear
		say talk speak mention guess ring text email message post share delete book type wear fetch pay phone warn remind invite borrow explain choose pretend throw cut cook buy pick drop hurry relax breathe enjoy sleep eat drink
		think consider be do don't never always skip save add run start finish wish trust believe hang mind feel pass pull push put set repeat answer disclose`)

	irregularPast = words(`was were had did went got came took saw said told made knew thought found gave felt left kept began brought bought
		wrote sat stood heard met ran paid spoke held lost sent built fell understood drew broke spent grew rose drove wore won chose taught caught
		fought flew forgot forgave hid rode sang slept swam threw woke ate drank led meant dealt dreamt learnt sold shook shot stole struck swore tore
		bent bit blew bled bound crept dug fed fled froze hung laid lent lit rang sank shone sought spun stuck stung sprang swept swung wept withdrew
		became awoke died lied tied owed begged moved arrived tried used rang undertook overheard misheard broke`)
	participles = words(`been gone done seen taken given known written spoken broken eaten fallen forgotten hidden driven chosen blown flown thrown sworn torn woken risen begun sung swum left lost sent built bought brought found told said sold kept met read won put let cut hit set lied died tied stolen worn grown shown thrown had got heard made`)
	sameInPast  = words(`put cut let hit set read cost quit hurt shut spread bet split cast burst`)
	baseInEd    = words(`need feed bleed breed speed proceed succeed exceed embed heed seed weed shed wed`)
	notVerb     = words(`and or but if when because while though although as than that this the a an my your his her its our their who which what
		there here too either neither me you him us them it he she they we i one two three four five six seven eight nine ten
		another other guys lot lots both all more most out up down off away back ok okay yes no sure good bad well`)
	notGerund = words(`something anything nothing everything morning evening during thing king ring string spring wedding meeting building ceiling
		darling sibling feeling viking sterling shilling pudding duckling boring interesting amazing exciting charming missing following according including
		regarding considering assuming nursing reading opening painting housing clothing lightning earring inkling gosling dumpling`)

	// presentVerbs are frequent verbs in their base form.
	presentVerbs = words(`want need know think like love hate see hear feel have go come get make take give keep live work play teach study
		plan hope wish try start stop run walk sing write read drive ride cook eat drink sleep buy sell pay owe own rent move stay leave
		look seem sound mean say tell ask call help care mind miss worry suspect guess believe remember forget wear use visit meet see
		speak talk show learn grow save spend earn lose win build break fix wait watch bring carry close open turn change expect prefer
		intend agree refuse suffer cry laugh smile dream trust doubt swear promise share send cover handle manage lead join attend teach nap paint
		volunteer enjoy swim dance train practise practice travel fly host organise organize`)
	// lowerCased are words that begin sentences and are no names.
	lowerCased = words(`the a an it this that there they we he she you i all both some any no every each one two three nobody somebody everyone everybody nothing
		everything something what who how why when where if as in on at to for with after before since until then now today yesterday tomorrow
		work school life home dinner lunch breakfast someone somebody something anyone anybody half most many about`)
)
