package reply

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Verb is the intention that words near a path or a block express.
type Verb int

// The verbs.
const (
	Nothing Verb = iota
	Create
	Delete
	Rename
	Add
	Change
	Find      // the text below is the old text of a pair, which is to be replaced
	Before    // the text below is the old text of a pair
	After     // the text below is the new text of a pair
	Option    // the block is one of several ways: "Option 2"
	Optional  // the block need not be applied
	Otherwise // the block is an alternative to the preceding one
	TakenBack // the block replaces an earlier one of the reply
	Not       // the block shows a mistake to avoid
	NewFile   // a label such as `New file:`
	NewText   // a label such as `Updated file:`
	GoneFile  // a label such as `Deleted file:`
	Undo      // the block undoes an earlier block, and is meant for a later time
)

// A phrase holds the words for a verb in one language, as alternatives of a regular expression in
// lower case. Words never decide alone. They support the evidence of the structure.
type phrase struct {
	verb     Verb
	language string // the code of ISO 639-1
	words    string
	example  string // a line with such words
}

// phrases holds the words in the twelve languages that models answer in most often.
var phrases = []phrase{
	{Create, "en", `create|new file|(?:put|save|write|place|paste|copy) (?:the following|this|it|the code|the content)`, "Put the following into `src/log.py`:"},
	{Create, "zh", `创建|新建|新文件|新增文件|建立`, "新文件：`src/log.py`"},
	{Create, "hi", `बनाएँ|बनाएं|बनाइए|नई फ़ाइल|नई फाइल`, "नई फ़ाइल: `src/log.py`"},
	{Create, "es", `crea|cree|crear|nuevo archivo|nuevo fichero`, "Crea `src/log.py`:"},
	{Create, "ar", `أنشئ|إنشاء|ملف جديد`, "ملف جديد: `src/log.py`"},
	{Create, "fr", `créez|crée|créer|nouveau fichier`, "Nouveau fichier : `src/log.py`"},
	{Create, "pt", `crie|criar|novo arquivo|novo ficheiro`, "Crie `src/log.py`:"},
	{Create, "ru", `создайте|создай|создать|новый файл`, "Новый файл: `src/log.py`"},
	{Create, "de", `erstelle|erstellen|anlegen|lege|neue datei`, "Neue Datei: `src/log.py`"},
	{Create, "ja", `作成|新規ファイル|新しいファイル`, "新しいファイル: `src/log.py`"},
	{Create, "ko", `생성|만드세요|만들|새 파일`, "새 파일: `src/log.py`"},
	{Create, "it", `crea|creare|nuovo file`, "Nuovo file: `src/log.py`"},

	{Delete, "en", `delete|remove`, "Delete `src/old.py`."},
	{Delete, "zh", `删除|移除`, "删除 `src/old.py`。"},
	{Delete, "hi", `हटाएँ|हटाएं|हटाइए|मिटाएँ|मिटाएं`, "`src/old.py` हटाएँ।"},
	{Delete, "es", `elimina|elimine|eliminar|borra|borre|borrar`, "Elimina `src/old.py`."},
	{Delete, "ar", `احذف|حذف|أزل`, "احذف `src/old.py`."},
	{Delete, "fr", `supprimez|supprime|supprimer|retirez`, "Supprimez `src/old.py`."},
	{Delete, "pt", `exclua|excluir|remova|remover|apague|delete`, "Remova `src/old.py`."},
	{Delete, "ru", `удалите|удали|удалить`, "Удалите `src/old.py`."},
	{Delete, "de", `lösche|löschen|entferne|entfernen`, "Lösche `src/old.py`."},
	{Delete, "ja", `削除`, "`src/old.py` を削除してください。"},
	{Delete, "ko", `삭제|제거`, "`src/old.py` 파일을 삭제하세요."},
	{Delete, "it", `elimina|eliminare|rimuovi|rimuovere|cancella`, "Elimina `src/old.py`."},

	{Rename, "en", `rename|move`, "Rename `src/old.py` to `src/new.py`."},
	{Rename, "zh", `重命名|移动`, "将 `src/old.py` 重命名为 `src/new.py`。"},
	{Rename, "hi", `नाम बदलें|नाम बदलकर|स्थानांतरित`, "`src/old.py` का नाम बदलें।"},
	{Rename, "es", `renombra|renombre|renombrar|mueve|mueva|mover`, "Renombra `src/old.py` a `src/new.py`."},
	{Rename, "ar", `أعد تسمية|انقل`, "أعد تسمية `src/old.py`."},
	{Rename, "fr", `renommez|renomme|renommer|déplacez|déplacer`, "Renommez `src/old.py` en `src/new.py`."},
	{Rename, "pt", `renomeie|renomear|mova|mover`, "Renomeie `src/old.py` para `src/new.py`."},
	{Rename, "ru", `переименуйте|переименовать|переместите`, "Переименуйте `src/old.py` в `src/new.py`."},
	{Rename, "de", `benenne|umbenennen|verschiebe|verschieben`, "Benenne `src/old.py` in `src/new.py` um."},
	{Rename, "ja", `リネーム|名前を変更|移動`, "`src/old.py` を `src/new.py` にリネームします。"},
	{Rename, "ko", `이름을 변경|이름을 바꾸|이동`, "`src/old.py` 이름을 바꾸세요."},
	{Rename, "it", `rinomina|rinominare|sposta|spostare`, "Rinomina `src/old.py` in `src/new.py`."},

	{Add, "en", `add|insert|append|prepend|include|put|place|paste`, "Add `import os` at the top of `src/app.py`."},
	{Add, "zh", `添加|加入|插入|追加`, "在 `src/app.py` 顶部添加 `import os`。"},
	{Add, "hi", `जोड़ें|जोड़िए|डालें`, "`src/app.py` में `import os` जोड़ें।"},
	{Add, "es", `agrega|agregue|agregar|añade|añada|añadir|inserta|inserte`, "Agrega `import os` al principio de `src/app.py`."},
	{Add, "ar", `أضف|إضافة|أدرج`, "أضف `import os` في `src/app.py`."},
	{Add, "fr", `ajoutez|ajoute|ajouter|insérez|insérer`, "Ajoutez `import os` au début de `src/app.py`."},
	{Add, "pt", `adicione|adicionar|acrescente|insira|inserir`, "Adicione `import os` no início de `src/app.py`."},
	{Add, "ru", `добавьте|добавь|добавить|вставьте`, "Добавьте `import os` в начало `src/app.py`."},
	{Add, "de", `füge|fügen|ergänze|ergänzen|hinzufügen|einfügen`, "Füge `import os` am Anfang von `src/app.py` hinzu."},
	{Add, "ja", `追加|挿入`, "`src/app.py` の先頭に `import os` を追加してください。"},
	{Add, "ko", `추가|삽입`, "`src/app.py` 맨 위에 `import os`를 추가하세요."},
	{Add, "it", `aggiungi|aggiungere|inserisci|inserire`, "Aggiungi `import os` all'inizio di `src/app.py`."},

	{Change, "en", `replace|change|update|modify|edit|set|swap`, "Replace line 5 with `port = 1`."},
	{Change, "zh", `替换|修改|更改|更新|改为`, "将第 5 行替换为 `port = 1`。"},
	{Change, "hi", `बदलें|बदलिए|अपडेट करें`, "पंक्ति 5 को `port = 1` से बदलें।"},
	{Change, "es", `reemplaza|reemplace|reemplazar|cambia|cambie|cambiar|sustituye|actualiza|actualice|modifica|modifique`, "Reemplaza la línea 5 por `port = 1`."},
	{Change, "ar", `استبدل|غيّر|غير|عدّل|عدل|حدّث`, "استبدل السطر 5 بـ `port = 1`."},
	{Change, "fr", `remplacez|remplace|remplacer|changez|changer|modifiez|modifier|mettez à jour`, "Remplacez la ligne 5 par `port = 1`."},
	{Change, "pt", `substitua|substituir|altere|alterar|mude|atualize|modifique|troque`, "Substitua a linha 5 por `port = 1`."},
	{Change, "ru", `замените|замени|заменить|измените|изменить|обновите`, "Замените строку 5 на `port = 1`."},
	{Change, "de", `ersetze|ersetzen|ändere|ändern|aktualisiere|aktualisieren`, "Ersetze Zeile 5 durch `port = 1`."},
	{Change, "ja", `置き換え|置換|変更|更新|修正`, "5行目を `port = 1` に置き換えます。"},
	{Change, "ko", `교체|바꾸|변경|수정|업데이트`, "5번째 줄을 `port = 1`로 교체하세요."},
	{Change, "it", `sostituisci|sostituire|cambia|cambiare|modifica|modificare|aggiorna`, "Sostituisci la riga 5 con `port = 1`."},

	{Find, "en", `find|search(?: for)?|look for|replace this|replace`, "Find:"},
	{Find, "zh", `查找|搜索|找到`, "查找："},
	{Find, "hi", `खोजें|ढूँढें`, "खोजें:"},
	{Find, "es", `buscar|busca|busque|reemplazar|reemplaza`, "Buscar:"},
	{Find, "ar", `ابحث عن|البحث`, "ابحث عن:"},
	{Find, "fr", `rechercher|recherchez|cherchez|remplacer|remplacez`, "Rechercher :"},
	{Find, "pt", `procure|procurar|localize|localizar|substituir|substitua`, "Procure:"},
	{Find, "ru", `найти|найдите|заменить|замените`, "Найти:"},
	{Find, "de", `suche|suchen|ersetze|ersetzen`, "Suche:"},
	{Find, "ja", `検索`, "検索:"},
	{Find, "ko", `찾기|검색`, "찾기:"},
	{Find, "it", `trova|cerca|sostituire|sostituisci`, "Trova:"},
	{Before, "en", `before|old|original|from|current`, "**Before:**"},
	{Before, "zh", `修改前|原来|旧代码|之前`, "修改前："},
	{Before, "hi", `पहले|पुराना`, "पहले:"},
	{Before, "es", `antes|original`, "Antes:"},
	{Before, "ar", `قبل|القديم`, "قبل:"},
	{Before, "fr", `avant|ancien`, "Avant :"},
	{Before, "pt", `antes|antigo`, "Antes:"},
	{Before, "ru", `было|до`, "Было:"},
	{Before, "de", `vorher|alt|bisher`, "Vorher:"},
	{Before, "ja", `変更前|修正前|置換前`, "変更前:"},
	{Before, "ko", `변경 전|수정 전|이전`, "변경 전:"},
	{Before, "it", `prima|vecchio`, "Prima:"},

	{After, "en", `after|new|replace|replace (?:it )?with|with|with this|replacement|to|becomes|by`, "**After:**"},
	{After, "zh", `修改后|替换为|新代码|改为|之后`, "修改后："},
	{After, "hi", `बाद में|बाद|नया`, "बाद में:"},
	{After, "es", `después|reemplazar (?:por|con)|por|nuevo`, "Después:"},
	{After, "ar", `بعد|الجديد`, "بعد:"},
	{After, "fr", `après|remplacer par|remplacez par|par|nouveau`, "Après :"},
	{After, "pt", `depois|substitua por|substituir por|por|novo`, "Depois:"},
	{After, "ru", `стало|после|заменить на|на`, "Стало:"},
	{After, "de", `nachher|neu|ersetze durch|ersetzen durch|durch`, "Nachher:"},
	{After, "ja", `変更後|修正後|置換後|置換|置き換え`, "変更後:"},
	{After, "ko", `변경 후|수정 후|이후|바꾸기`, "변경 후:"},
	{After, "it", `dopo|nuovo|sostituisci con|con`, "Dopo:"},

	{NewFile, "en", `(?:new|created?) file|\(new\)`, "New file: `src/log.py`"},
	{NewFile, "zh", `新文件|新增文件|新建文件|[(（](?:新|新建|新增)[)）]`, "新文件：`src/log.py`"},
	{NewFile, "hi", `नई फ़ाइल|नई फाइल`, "नई फ़ाइल: `src/log.py`"},
	{NewFile, "es", `(?:nuevo archivo|archivo nuevo|nuevo fichero)|\(nuevo\)`, "Nuevo archivo: `src/log.py`"},
	{NewFile, "ar", `ملف جديد`, "ملف جديد: `src/log.py`"},
	{NewFile, "fr", `nouveau fichier|\(nouveau\)`, "Nouveau fichier : `src/log.py`"},
	{NewFile, "pt", `(?:novo arquivo|arquivo novo|novo ficheiro)|\(novo\)`, "Novo arquivo: `src/log.py`"},
	{NewFile, "ru", `новый файл|\(новый\)`, "Новый файл: `src/log.py`"},
	{NewFile, "de", `neue datei|\(neu\)`, "Neue Datei: `src/log.py`"},
	{NewFile, "ja", `新規ファイル|新しいファイル|[(（]新規[)）]`, "新規ファイル: `src/log.py`"},
	{NewFile, "ko", `새 파일|신규 파일`, "새 파일: `src/log.py`"},
	{NewFile, "it", `nuovo file|\(nuovo\)`, "Nuovo file: `src/log.py`"},

	{NewText, "en", `(?:updated?|modified|changed) file`, "Updated file: `src/log.py`"},
	{NewText, "zh", `修改(?:后的)?文件|更新(?:后的)?文件`, "修改文件：`src/log.py`"},
	{NewText, "hi", `अद्यतन फ़ाइल|बदली हुई फ़ाइल`, "अद्यतन फ़ाइल: `src/log.py`"},
	{NewText, "es", `archivo (?:actualizado|modificado)|fichero (?:actualizado|modificado)`, "Archivo actualizado: `src/log.py`"},
	{NewText, "ar", `ملف محدث|الملف المحدث`, "الملف المحدث: `src/log.py`"},
	{NewText, "fr", `fichier (?:modifié|mis à jour)`, "Fichier modifié : `src/log.py`"},
	{NewText, "pt", `arquivo (?:atualizado|modificado|alterado)`, "Arquivo atualizado: `src/log.py`"},
	{NewText, "ru", `(?:изменённый|измененный|обновлённый|обновленный) файл`, "Изменённый файл: `src/log.py`"},
	{NewText, "de", `(?:geänderte|aktualisierte) datei`, "Geänderte Datei: `src/log.py`"},
	{NewText, "ja", `(?:変更|更新|修正)(?:した|する|後の)?ファイル`, "更新ファイル: `src/log.py`"},
	{NewText, "ko", `수정된 파일|변경된 파일`, "수정된 파일: `src/log.py`"},
	{NewText, "it", `file (?:aggiornato|modificato)`, "File aggiornato: `src/log.py`"},

	{Option, "en", `(?:option|approach|alternative|solution|variant|method)`, "Option 2: the host"},
	{Option, "zh", `方案|方法|选项`, "方案 2：主机"},
	{Option, "hi", `विकल्प|तरीका`, "विकल्प 2:"},
	{Option, "es", `opción|alternativa|solución`, "Opción 2: el host"},
	{Option, "ar", `الخيار|الحل`, "الخيار 2:"},
	{Option, "fr", `option|solution|approche|variante`, "Option 2 : l'hôte"},
	{Option, "pt", `opção|alternativa|solução`, "Opção 2: o host"},
	{Option, "ru", `вариант|способ`, "Вариант 2: хост"},
	{Option, "de", `option|variante|möglichkeit|lösung|ansatz`, "Variante 2: der Host"},
	{Option, "ja", `方法|案|オプション`, "方法 2: ホスト"},
	{Option, "ko", `방법|옵션|대안`, "방법 2: 호스트"},
	{Option, "it", `opzione|alternativa|soluzione`, "Opzione 2: l'host"},

	{Optional, "en", `optional(?:ly)?`, "**Optional** – make it louder:"},
	{Optional, "zh", `可选|选做`, "可选：修改问候语"},
	{Optional, "hi", `वैकल्पिक|ऐच्छिक`, "वैकल्पिक: अभिवादन बदलें"},
	{Optional, "es", `opcional(?:mente)?`, "Opcional: cambia el saludo"},
	{Optional, "ar", `اختياري|اختياريًا`, "اختياري: غيّر التحية"},
	{Optional, "fr", `facultatif|optionnel(?:lement)?|en option`, "Facultatif : changez le message"},
	{Optional, "pt", `opcional(?:mente)?`, "Opcional: mude a saudação"},
	{Optional, "ru", `необязательно|опционально|по желанию`, "Необязательно: измените приветствие"},
	{Optional, "de", `optional|wahlweise|bei bedarf`, "Optional: die Begrüßung ändern"},
	{Optional, "ja", `オプション|任意`, "オプション：挨拶を変更"},
	{Optional, "ko", `선택 사항|선택사항|선택적`, "선택 사항: 인사말 변경"},
	{Optional, "it", `facoltativo|opzionale|opzionalmente`, "Facoltativo: cambia il saluto"},

	{Otherwise, "en", `alternatively|as an alternative|an? alternative (?:is|would be|could be)|or,? if you(?:'d| would)? (?:rather|prefer)|or instead|(?:second|third|another|alternative) (?:option|approach|alternative|solution|variant)`, "Or, if you'd rather change the host:"},
	{Otherwise, "zh", `或者|另一种(?:方法|方案)|替代方案`, "或者，修改主机："},
	{Otherwise, "hi", `या फिर|अथवा|वैकल्पिक रूप से`, "या फिर होस्ट बदलें:"},
	{Otherwise, "es", `alternativamente|como alternativa|o bien|otra opción|si (?:lo )?prefieres`, "Como alternativa, cambia el host:"},
	{Otherwise, "ar", `كبديل|أو بدلاً|أو بدلا`, "كبديل، غيّر المضيف:"},
	{Otherwise, "fr", `ou bien|sinon|alternativement|autre (?:option|solution)|si vous préférez`, "Ou bien, changez l'hôte :"},
	{Otherwise, "pt", `alternativamente|como alternativa|ou então|outra opção|se preferir`, "Como alternativa, mude o host:"},
	{Otherwise, "ru", `либо|альтернативно|другой вариант|как вариант|или же`, "Как вариант, измените хост:"},
	{Otherwise, "de", `alternativ|oder aber|(?:wenn|falls) du lieber|(?:wenn|falls) (?:dir|ihnen) (?:das|dies|es) lieber|eine andere möglichkeit`, "Alternativ kannst du den Host ändern:"},
	{Otherwise, "ja", `または|あるいは|別の方法`, "または、ホストを変更します。"},
	{Otherwise, "ko", `또는|아니면|대안으로`, "또는 호스트를 변경하세요:"},
	{Otherwise, "it", `in alternativa|oppure|un'altra opzione|se preferisci`, "In alternativa, cambia l'host:"},

	{TakenBack, "en", `(?:use|try|apply|take) (?:this|these|that|the following)(?: (?:one|version|block|patch|code|edit))? instead|(?:final|corrected|revised) (?:version|attempt|answer|try|draft|patch)|(?:second|another) (?:attempt|try|draft)|(?:scratch|ignore|discard|disregard|forget) (?:that|the (?:above|previous|first|earlier)|my (?:previous|first|earlier))|on second thoughts?|(?:that|the above|my (?:first|previous) \w+)(?:'s| is| was) (?:wrong|incorrect|not (?:quite )?right)`, "Actually, use this instead:"},
	{TakenBack, "zh", `更正|改用(?:这个|以下|下面)|修正后的版本|忽略(?:上面|之前)`, "更正：改用以下版本"},
	{TakenBack, "hi", `इसके बजाय|सुधारा हुआ`, "इसके बजाय यह उपयोग करें:"},
	{TakenBack, "es", `en su lugar|(?:espera|esto no es correcto)|versión corregida|ignora (?:lo|el) anterior`, "Usa esto en su lugar:"},
	{TakenBack, "ar", `بدلاً من ذلك|بدلا من ذلك|النسخة المصححة`, "استخدم هذا بدلاً من ذلك:"},
	{TakenBack, "fr", `à la place|ce n'est pas (?:tout à fait )?(?:correct|exact|juste)|version corrigée|ignorez ce qui précède`, "Utilisez ceci à la place :"},
	{TakenBack, "pt", `em vez disso|versão corrigida|ignore o anterior`, "Em vez disso, use:"},
	{TakenBack, "ru", `вместо этого|исправленная версия|исправленный вариант`, "Вместо этого используйте:"},
	{TakenBack, "de", `stattdessen|das (?:war|ist) (?:falsch|nicht (?:ganz )?richtig)|korrigierte (?:fassung|version)|vergiss das`, "Nimm stattdessen das:"},
	{TakenBack, "ja", `代わりに|修正版`, "代わりにこちらを使ってください:"},
	{TakenBack, "ko", `대신|수정된 버전`, "대신 이것을 사용하세요:"},
	{TakenBack, "it", `al suo posto|versione corretta|invece usa`, "La versione corretta:"},

	{Not, "en", `(?:do not|don't|never|avoid) (?:do|doing|change|changing|edit|modify|replace|apply|applying|use|using|write|writing|make|try|run|copy) ?(?:this|that|it|the following|these|any of)?|not like this|wrong|incorrect|bad(?: example)?|anti-?pattern`, "Do **not** do this:"},
	{Not, "zh", `不要(?:这样|这么|使用|应用)|请勿|错误(?:示例|写法|做法)`, "不要这样做："},
	{Not, "hi", `ऐसा न करें|यह न करें|गलत`, "ऐसा न करें:"},
	{Not, "es", `no (?:hagas|haga|uses|use|apliques|aplique)|incorrecto`, "No hagas esto:"},
	{Not, "ar", `لا تفعل|لا تستخدم|لا تطبق|خطأ`, "لا تفعل هذا:"},
	{Not, "fr", `ne (?:faites|fais|utilisez|appliquez) (?:pas|jamais)|incorrect|mauvais`, "Ne faites pas ceci :"},
	{Not, "pt", `não (?:faça|use|aplique)|errado|incorreto`, "Não faça isto:"},
	{Not, "ru", `не (?:делайте|делай|используйте|применяйте)|неправильно|неверно`, "Не делайте так:"},
	{Not, "de", `so (?:bitte )?nicht|mach(?:e|en sie)? (?:das|dies|es) (?:bitte )?nicht|falsch`, "So bitte **nicht**:"},
	{Not, "ja", `しないで|使わないで|悪い例|間違い`, "これはしないでください:"},
	{Not, "ko", `하지 마세요|하지 마십시오|사용하지 마|잘못된`, "이렇게 하지 마세요:"},
	{Not, "it", `non (?:fare|fate|usare|usate|applicare)|sbagliato|errato`, "Non fare questo:"},

	{GoneFile, "en", `(?:delet(?:e|ed|ing)|remov(?:e|ed|ing)) files?|files? (?:to (?:delete|remove)|deleted|removed)|(?:delete|remove):`, "**Delete file:** `src/old.py`"},
	{GoneFile, "zh", `删除文件|移除文件`, "删除文件：`src/old.py`"},
	{GoneFile, "hi", `फ़ाइल हटाएँ|फ़ाइल हटाएं|फाइल हटाएं`, "फ़ाइल हटाएँ: `src/old.py`"},
	{GoneFile, "es", `(?:eliminar|elimina|borrar|borra) (?:el )?(?:archivo|fichero)|archivo eliminado`, "Eliminar archivo: `src/old.py`"},
	{GoneFile, "ar", `حذف الملف|احذف الملف|حذف ملف`, "حذف الملف: `src/old.py`"},
	{GoneFile, "fr", `(?:supprimer|supprimez) (?:le )?fichier|fichier supprimé`, "Supprimer le fichier : `src/old.py`"},
	{GoneFile, "pt", `(?:excluir|exclua|remover|remova|apagar) (?:o )?(?:arquivo|ficheiro)|arquivo (?:excluído|removido)`, "Excluir arquivo: `src/old.py`"},
	{GoneFile, "ru", `(?:удалить|удалите) файл|удалённый файл`, "Удалить файл: `src/old.py`"},
	{GoneFile, "de", `datei löschen|lösche(?:n)? (?:die )?datei|gelöschte datei`, "Datei löschen: `src/old.py`"},
	{GoneFile, "ja", `(?:ファイルを?)?削除(?:する)?(?:ファイル)?`, "ファイルを削除: `src/old.py`"},
	{GoneFile, "ko", `파일 삭제|삭제할 파일`, "파일 삭제: `src/old.py`"},
	{GoneFile, "it", `(?:elimina|eliminare|rimuovi|cancella) (?:il )?file|file eliminato`, "Elimina file: `src/old.py`"},
	{Undo, "en", `to (?:undo|revert|roll back|reverse|go back)|undo|rollback|roll back`, "To undo, apply the reverse:"},
	{Undo, "zh", `撤销|回滚|还原`, "如需撤销，请应用："},
	{Undo, "hi", `पूर्ववत|वापस लेने|वापस लाने`, "इसे पूर्ववत करने के लिए:"},
	{Undo, "es", `para (?:deshacer|revertir)|deshacer`, "Para deshacer:"},
	{Undo, "ar", `للتراجع|لإلغاء`, "للتراجع عن هذا:"},
	{Undo, "fr", `pour (?:annuler|revenir)`, "Pour annuler :"},
	{Undo, "pt", `para (?:desfazer|reverter)`, "Para desfazer:"},
	{Undo, "ru", `чтобы (?:отменить|откатить|вернуть)|откат`, "Чтобы отменить это:"},
	{Undo, "de", `rückgängig|zurückrollen|wieder zurück`, "Um das rückgängig zu machen:"},
	{Undo, "ja", `元に戻す|取り消す`, "元に戻すには:"},
	{Undo, "ko", `되돌리|취소하려면`, "되돌리려면:"},
	{Undo, "it", `per (?:annullare|ripristinare)`, "Per annullare:"},
}

// words returns the expressions of all verbs, compiled on first use.
var words = sync.OnceValue(func() map[Verb]*regexp.Regexp {
	all := map[Verb][]string{}
	for _, p := range phrases {
		all[p.verb] = append(all[p.verb], strings.ReplaceAll(p.words, " ", "[ *_]+")) // marks may surround a word, as in "do **not** do"
	}
	compiled := map[Verb]*regexp.Regexp{}
	for v, alternatives := range all {
		re := regexp.MustCompile(`(?i)(?:` + strings.Join(alternatives, "|") + `)`)
		re.Longest()
		compiled[v] = re
	}
	return compiled
})

// say finds the first words for a verb in a line. In scripts with spaces, it finds only whole
// words.
func say(line string, verb Verb) (at text.Span, ok bool) {
	re := words()[verb]
	for from := 0; from < len(line); {
		m := re.FindStringIndex(line[from:])
		if m == nil {
			return at, false
		}
		at = text.Span{Start: from + m[0], End: from + m[1]}
		if isWhole(line, at) {
			return at, true
		}
		_, size := utf8.DecodeRuneInString(line[at.Start:])
		from = at.Start + size
	}
	return at, false
}

// isWhole reports whether a span does not begin or end inside a word.
func isWhole(line string, at text.Span) bool {
	before, _ := utf8.DecodeLastRuneInString(line[:at.Start])
	first, _ := utf8.DecodeRuneInString(line[at.Start:])
	last, _ := utf8.DecodeLastRuneInString(line[:at.End])
	after, _ := utf8.DecodeRuneInString(line[at.End:])
	return !joins(before, first) && !joins(last, after)
}

// unspaced lists the scripts that write no spaces between words, or attach endings to words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai}

func joins(a, b rune) bool {
	return unicode.IsLetter(a) && unicode.IsLetter(b) && !unicode.In(a, unspaced...) && !unicode.In(b, unspaced...)
}
